import { open } from "node:fs/promises"
import { Readable } from "node:stream"
import { Complaint } from "../explain.ts"
import { type ConnectionOptions, connect } from "../settings.ts"
import type { Terminal } from "../terminal.ts"

export type ImportOptions = ConnectionOptions & {
  readonly agent: string
  readonly branch: string
  readonly terminal: Terminal
}

export async function importLines(file: string, options: ImportOptions): Promise<number> {
  const parlor = connect(options)
  const source = file === "-" ? process.stdin : await openFile(file)
  const body = Readable.toWeb(source) as ReadableStream<Uint8Array>
  const { agent, branch, messages } = await parlor.importLines(options.agent, options.branch, body)
  options.terminal.note(`Imported ${messages} ${messages === 1 ? "message" : "messages"} into ${agent}/${branch}.`)
  return 0
}

async function openFile(file: string): Promise<Readable> {
  try {
    return (await open(file)).createReadStream()
  } catch (error) {
    throw new Complaint(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}
