import { createWriteStream } from "node:fs"
import { rename, rm } from "node:fs/promises"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { Complaint } from "../explain.ts"
import { plainJson } from "../plain.ts"
import { type ConnectionOptions, connect } from "../settings.ts"
import type { Terminal } from "../terminal.ts"

export type ExportOptions = ConnectionOptions & {
  readonly branch: string
  readonly output?: string
  readonly terminal: Terminal
}

export async function exportLines(agent: string, options: ExportOptions): Promise<number> {
  const lines = connect(options).conversation(agent, options.branch).export()
  if (options.output !== undefined) return toFile(lines, options.output, options.terminal)
  const show = options.terminal.isInteractive ? plainJson : (line: string) => line
  for await (const line of lines) await options.terminal.out(`${show(line)}\n`)
  return 0
}

/** Written to a temporary file first, so that an interrupted export does not look complete. */
async function toFile(lines: AsyncIterable<string>, file: string, terminal: Terminal): Promise<number> {
  const part = `${file}.part`
  let count = 0
  async function* ended(): AsyncGenerator<string> {
    for await (const line of lines) {
      count += 1
      yield `${line}\n`
    }
  }
  try {
    await pipeline(Readable.from(ended()), createWriteStream(part))
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    if (error instanceof Error && "syscall" in error) throw new Complaint(`${file} cannot be written: ${error.message}`)
    throw error
  }
  terminal.note(`Wrote ${count} lines to ${file}.`)
  return 0
}
