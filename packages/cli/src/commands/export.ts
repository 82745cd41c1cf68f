import { createWriteStream } from "node:fs"
import { rename, rm } from "node:fs/promises"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { type DocumentWords, htmlDocument, markdownDocument } from "@parlor/client/document"
import { Complaint } from "../complaint.ts"
import { plain, plainJson } from "../plain.ts"
import { type ConversationOptions, conversationOf } from "../settings.ts"
import type { Terminal } from "../terminal.ts"

export type ExportOptions = ConversationOptions & {
  readonly format?: string
  readonly memory?: boolean
  readonly output?: string
  readonly terminal: Terminal
}

/** The lines are JSON with and without --json. */
export async function exportLines(options: ExportOptions): Promise<number> {
  const { format = "jsonl", memory = false, output, terminal } = options
  if (!FORMATS.includes(format)) throw new Complaint(`Unknown format: ${format}. Use jsonl, md or html.`)
  const lines = (await conversationOf(options)).export({ memory: memory && format === "jsonl" })
  if (format !== "jsonl") return documentOf(await piecesOf(lines, format), options)
  if (output !== undefined) return toFile(lines, output, terminal)
  const show = terminal.isInteractive ? plainJson : (line: string) => line
  for await (const line of lines) await terminal.out(`${show(line)}\n`)
  return 0
}

const FORMATS: readonly string[] = ["jsonl", "md", "html"]

const WORDS: DocumentWords = {
  language: "en",
  untitled: "Conversation",
  you: "You",
  attached: "Attachment",
  used: (tools) => `Used ${tools}`,
  time: (at) => new Date(at).toISOString().slice(0, 16).replace("T", " "),
}

async function piecesOf(lines: AsyncIterable<string>, format: string): Promise<AsyncIterable<string>> {
  if (format === "md") return markdownDocument(lines, WORDS)
  const [{ micromark }, { gfm, gfmHtml }] = await Promise.all([import("micromark"), import("micromark-extension-gfm")])
  const settings = { extensions: [gfm()], htmlExtensions: [gfmHtml()] }
  return htmlDocument(lines, { words: WORDS, render: (text) => micromark(text, settings) })
}

async function documentOf(pieces: AsyncIterable<string>, { output, terminal }: ExportOptions): Promise<number> {
  if (output !== undefined) {
    await written(pieces, output)
    await terminal.report(`Wrote ${output}.`, { file: output })
    return 0
  }
  for await (const piece of pieces) await terminal.out(terminal.isInteractive ? plain(piece) : piece)
  return 0
}

async function toFile(lines: AsyncIterable<string>, file: string, terminal: Terminal): Promise<number> {
  let count = 0
  async function* ended(): AsyncGenerator<string> {
    for await (const line of lines) {
      count += 1
      yield `${line}\n`
    }
  }
  await written(ended(), file)
  await terminal.report(`Wrote ${count} lines to ${file}.`, { file, lines: count })
  return 0
}

/** Written to a temporary file first, so that an interrupted export does not look complete. */
async function written(pieces: AsyncIterable<string>, file: string): Promise<void> {
  const part = `${file}.part`
  try {
    await pipeline(Readable.from(pieces), createWriteStream(part))
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    if (error instanceof Error && "syscall" in error) throw new Complaint(`${file} cannot be written: ${error.message}`)
    throw error
  }
}
