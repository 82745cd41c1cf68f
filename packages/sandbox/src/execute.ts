/**
 * Runs one program and everything it starts, within limits, and returns when all of it has ended.
 *
 *   started ──exits──▶ ended        a limit, a stop ──▶ killed ──▶ ended
 */
import { spawn } from "node:child_process"
import type { Readable, Writable } from "node:stream"
import { StringDecoder } from "node:string_decoder"
import type { SandboxEnd, SandboxLimits } from "@parlor/core"
import { watchUse } from "./watch.ts"

/** What is kept of a long output: its beginning and its end. */
const KEPT_CHARS = 128 * 1024

export type Execution = {
  readonly file: string
  readonly args: readonly string[]
  /** Written to the file descriptors 3, 4, … of the program. */
  readonly inputs: readonly Buffer[]
  /** The number of a file descriptor on which the program reports its first process. */
  readonly reports?: number
  /** The user it runs as, if not the server's. */
  readonly user: number | undefined
  readonly copy: string
  readonly limits: SandboxLimits
  readonly signal: AbortSignal
  /** Ends everything that runs. */
  readonly kill?: () => void
}

export type Executed = { readonly end: SandboxEnd; readonly exit: number | null; readonly output: string }

export async function execute(it: Execution): Promise<Executed> {
  it.signal.throwIfAborted()
  const output = new Output(it.limits.outputBytes)
  let end: SandboxEnd = "exit"
  let first: number | undefined
  const pipes = [...it.inputs, ...(it.reports === undefined ? [] : ["reports"])].map(() => "pipe" as const)
  const child = spawn(it.file, it.args, {
    // Its environment can be read by the command, where /proc shows the first process.
    env: {},
    cwd: "/",
    stdio: ["ignore", "pipe", "pipe", ...pipes],
    ...(it.user === undefined ? {} : { uid: it.user, gid: it.user }),
  })
  const kill = () => {
    child.kill("SIGKILL")
    it.kill?.()
  }
  const exceeded = (why: SandboxEnd) => {
    if (end === "exit") end = why
    kill()
  }
  for (const [index, input] of it.inputs.entries()) {
    const pipe = child.stdio[3 + index] as Writable
    pipe.on("error", () => {})
    pipe.end(input)
  }
  const reported = it.reports === undefined ? undefined : (child.stdio[it.reports] as Readable)
  reported?.on("error", () => {})
  reported?.on("data", (data: Buffer) => {
    first ??= Number(/"child-pid":\s*(\d+)/.exec(String(data))?.[1]) || undefined
  })
  const heard = (data: Buffer) => {
    if (!output.take(data)) exceeded("output")
  }
  child.stdout?.on("data", heard)
  child.stderr?.on("data", heard)
  const timer = setTimeout(() => exceeded("time"), it.limits.timeMs)
  const unwatch = watchUse({ first: () => first, copy: it.copy, limits: it.limits, exceeded })
  it.signal.addEventListener("abort", kill, { once: true })
  try {
    const exit = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject)
      child.once("close", (code) => resolve(code))
    })
    it.signal.throwIfAborted()
    return { end, exit: end === "exit" ? exit : null, output: output.text() }
  } finally {
    clearTimeout(timer)
    unwatch()
    it.signal.removeEventListener("abort", kill)
  }
}

/** The beginning and the end of what a command prints. */
class Output {
  readonly #most: number
  readonly #decoder = new StringDecoder("utf8")
  #bytes = 0
  #head = ""
  #tail = ""
  #lost = 0

  constructor(most: number) {
    this.#most = most
  }

  /** False if it is more than allowed. */
  take(data: Buffer): boolean {
    this.#bytes += data.length
    const text = this.#decoder.write(data)
    const room = KEPT_CHARS / 2 - this.#head.length
    this.#head += text.slice(0, room)
    this.#tail += text.slice(Math.max(0, room))
    const over = this.#tail.length - KEPT_CHARS / 2
    if (over > KEPT_CHARS) this.#shorten(over)
    return this.#bytes <= this.#most
  }

  text(): string {
    this.#tail += this.#decoder.end()
    const over = this.#tail.length - KEPT_CHARS / 2
    if (over > 0) this.#shorten(over)
    if (this.#lost === 0) return this.#head + this.#tail
    return `${this.#head}\n[… ${this.#lost} characters left out …]\n${this.#tail}`
  }

  #shorten(by: number): void {
    this.#tail = this.#tail.slice(by)
    this.#lost += by
  }
}
