import { open } from "node:fs/promises"
import { Readable } from "node:stream"
import { Complaint } from "../complaint.ts"
import { type ConversationOptions, connect, firstAgent } from "../settings.ts"
import type { Terminal } from "../terminal.ts"

export type ImportOptions = ConversationOptions & { readonly terminal: Terminal }

export async function importLines(file: string, options: ImportOptions): Promise<number> {
  const parlor = connect(options)
  const source = file === "-" ? process.stdin : await openFile(file)
  const body = Readable.toWeb(source) as ReadableStream<Uint8Array>
  const into = options.agent ?? (await firstAgent(parlor))
  const imported = await parlor.importLines(into, options.branch, body)
  const { agent, branch, messages } = imported
  const words = `Imported ${messages} ${messages === 1 ? "message" : "messages"} into ${agent}/${branch}.`
  await options.terminal.report(words, imported)
  return 0
}

async function openFile(file: string): Promise<Readable> {
  try {
    return (await open(file)).createReadStream()
  } catch (error) {
    throw new Complaint(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}
