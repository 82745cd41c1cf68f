/** `parlor files …`: the files of a conversation (WSP-4). */

import { readFile, rename, rm, writeFile } from "node:fs/promises"
import { buffer as readAll } from "node:stream/consumers"
import type { Files } from "@parlor/client"
import { sizeWords } from "@parlor/protocol"
import { Complaint } from "../complaint.ts"
import { changeLines, fileLines } from "../file-lines.ts"
import { plain, plainJson } from "../plain.ts"
import { type ConversationOptions, conversationOf } from "../settings.ts"
import type { Terminal } from "../terminal.ts"

export type FilesOptions = ConversationOptions & { readonly terminal: Terminal }

export async function list(options: FilesOptions & { readonly at?: string; readonly json?: boolean }): Promise<number> {
  const files = await (await filesOf(options)).list(options.at === undefined ? {} : { at: options.at })
  const lines = options.json ? files.map((file) => plainJson(JSON.stringify(file))) : fileLines(files)
  for (const line of lines) await options.terminal.out(`${line}\n`)
  if (files.length === 0 && !options.json) options.terminal.note("There are no files.")
  return 0
}

export async function show(
  path: string,
  options: FilesOptions & { readonly at?: string; readonly output?: string },
): Promise<number> {
  const { terminal, output } = options
  const { bytes } = await (await filesOf(options)).read(path, options.at === undefined ? {} : { at: options.at })
  if (output !== undefined) return save(bytes, output, terminal)
  const text = textOf(bytes)
  if (text === undefined) throw new Complaint(`${plain(path)} is not a text file. Save it with -o <file>.`)
  if (terminal.isJson) await terminal.report("", { path, text })
  else await terminal.out(terminal.isInteractive ? plain(text) : text)
  return 0
}

/** Without a file it reads standard input. */
export async function put(path: string, file: string | undefined, options: FilesOptions): Promise<number> {
  const content = file === undefined || file === "-" ? await readAll(process.stdin) : await contentOf(file)
  const row = await (await filesOf(options)).write(path, new Uint8Array(content))
  await options.terminal.report(`Wrote ${plain(row.path)}, ${sizeWords(row.bytes)}.`, row)
  return 0
}

export async function remove(path: string, options: FilesOptions): Promise<number> {
  await (await filesOf(options)).delete(path)
  await options.terminal.report(`Deleted ${plain(path)}.`, { deleted: path })
  return 0
}

export async function changes(
  options: FilesOptions & { readonly turn?: string; readonly limit?: string; readonly json?: boolean },
): Promise<number> {
  const { turn, limit } = options
  const page = await (await filesOf(options)).changes({
    ...(turn === undefined ? {} : { turn }),
    ...(limit === undefined ? {} : { limit: Number(limit) }),
  })
  const lines = options.json ? page.changes.map((one) => plainJson(JSON.stringify(one))) : changeLines(page.changes)
  for (const line of lines) await options.terminal.out(`${line}\n`)
  if (page.changes.length === 0 && !options.json) options.terminal.note("There are no changes.")
  return 0
}

async function filesOf(options: FilesOptions): Promise<Files> {
  return (await conversationOf(options)).files
}

/** Written to a temporary file first. */
async function save(bytes: Uint8Array, file: string, terminal: Terminal): Promise<number> {
  const part = `${file}.part`
  try {
    await writeFile(part, bytes)
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw new Complaint(`${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`)
  }
  await terminal.report(`Wrote ${sizeWords(bytes.length)} to ${file}.`, { file, bytes: bytes.length })
  return 0
}

async function contentOf(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    throw new Complaint(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.includes("\u0000") ? undefined : text
  } catch {
    return undefined
  }
}
