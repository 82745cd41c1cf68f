/** Commands that an agent runs through Parlor, in the folder of its conversation (HST-16). */

import { randomUUID } from "node:crypto"
import { realpath } from "node:fs/promises"
import { StringDecoder } from "node:string_decoder"
import { RequestError } from "@agentclientprotocol/sdk"
import { MARK } from "./environment.ts"
import { insideOf } from "./paths.ts"
import { type Ended, type Started, type StartOptions, start } from "./processes.ts"

const MAX_TERMINALS = 32
const MAX_OUTPUT_BYTES = 1024 * 1024

/** Starts a command; replaced where commands run in a sandbox. */
export type StartCommand = (command: readonly string[], options: StartOptions) => Started

type Terminal = {
  readonly process: Started
  readonly limit: number
  output: string
  isTruncated: boolean
  exit: Ended | undefined
}

export type TerminalRequest = {
  readonly command: string
  readonly args?: readonly string[]
  readonly env?: readonly { readonly name: string; readonly value: string }[]
  readonly cwd?: string | null
  readonly outputByteLimit?: number | null
}

export class Terminals {
  readonly #folder: string
  readonly #env: Readonly<Record<string, string>>
  readonly #start: StartCommand
  readonly #open = new Map<string, Terminal>()

  constructor(folder: string, env: Readonly<Record<string, string>>, begin: StartCommand = start) {
    this.#folder = folder
    this.#env = env
    this.#start = begin
  }

  async create(request: TerminalRequest): Promise<{ terminalId: string }> {
    if (this.#open.size >= MAX_TERMINALS)
      throw RequestError.invalidParams(undefined, `At most ${MAX_TERMINALS} terminals can be open. Release some.`)
    const cwd = await this.#folderOf(request.cwd)
    const given = Object.fromEntries((request.env ?? []).map(({ name, value }) => [name, value]))
    const process = this.#start([request.command, ...(request.args ?? [])], {
      cwd,
      // A mark of its own: what it started ends with it, and the agent does not.
      env: { ...this.#env, ...given, [MARK]: randomUUID() },
      stdin: "ignore",
    })
    const limit = Math.min(request.outputByteLimit ?? MAX_OUTPUT_BYTES, MAX_OUTPUT_BYTES)
    const terminal: Terminal = { process, limit, output: "", isTruncated: false, exit: undefined }
    for (const stream of [process.child.stdout, process.child.stderr]) {
      const decoder = new StringDecoder("utf8")
      stream?.on("data", (chunk: Buffer) => take(terminal, decoder.write(chunk)))
    }
    void process.ended.then((ended) => {
      if (ended.error !== undefined) take(terminal, `${ended.error.message}\n`)
      terminal.exit = ended
    })
    const id = `term_${randomUUID()}`
    this.#open.set(id, terminal)
    return { terminalId: id }
  }

  output(id: string) {
    const { output, isTruncated, exit } = this.#find(id)
    return { output, truncated: isTruncated, ...(exit === undefined ? {} : { exitStatus: statusOf(exit) }) }
  }

  /** What a person is shown of it; undefined if there is no such terminal. */
  shown(id: string): string | undefined {
    return this.#open.get(id)?.output
  }

  async waitForExit(id: string) {
    return statusOf(await this.#find(id).process.ended)
  }

  async kill(id: string): Promise<void> {
    await this.#find(id).process.end({ now: true })
  }

  async release(id: string): Promise<void> {
    const terminal = this.#find(id)
    this.#open.delete(id)
    await terminal.process.end({ now: true })
  }

  async releaseAll(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((id) => this.release(id)))
  }

  async #folderOf(cwd: string | null | undefined): Promise<string> {
    if (cwd === null || cwd === undefined || cwd === this.#folder) return this.#folder
    // A link inside may lead out.
    const [real, root] = await Promise.all([realpath(cwd).catch(() => cwd), realpath(this.#folder)])
    if (real === root || insideOf(root, real) !== undefined) return real
    throw RequestError.invalidParams(undefined, `${cwd} is outside of the working folder.`)
  }

  #find(id: string): Terminal {
    const terminal = this.#open.get(id)
    if (terminal === undefined) throw RequestError.resourceNotFound(id)
    return terminal
  }
}

/** The end is kept: that is where results and errors are. */
function take(terminal: Terminal, text: string): void {
  terminal.output += text
  if (terminal.output.length <= terminal.limit) return
  terminal.isTruncated = true
  terminal.output = terminal.output.slice(-terminal.limit).toWellFormed()
}

function statusOf({ code, signal }: Ended) {
  return { exitCode: code, signal }
}
