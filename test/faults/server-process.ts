/** The built server in a separate process that may be killed at any moment. */
import { type ChildProcess, spawn } from "node:child_process"
import { bundledBin } from "../support/bundle.ts"
import { within } from "./waiting.ts"

const READY_MS = 30_000
/** The default drain time, plus the time to close on a busy machine. */
const EXIT_MS = 45_000
const KEPT_OUTPUT = 64 * 1024
const BIN = await bundledBin()

export const TOKEN = "a-token-for-the-tests-by-killing-0123456789"

/** Shared: servers of one database need the same key. */
const SECRET_KEY = Buffer.alloc(32, 42).toString("base64")

export type ServerOptions = {
  readonly dataFolder: string
  readonly modelUrl: string
  readonly databaseUrl?: string | undefined
  /** Further settings. */
  readonly env?: Readonly<Record<string, string>>
  /** A command to run it under, such as `strace` with its options. */
  readonly under?: readonly string[]
}

export type ServerProcess = {
  readonly pid: number
  /** The address, once it serves. Rejects if the process exits before. */
  readonly ready: Promise<string>
  /** How the process ended: an exit code or the name of a signal. */
  readonly ended: Promise<number | string>
  /** Sends SIGKILL. */
  kill(): Promise<void>
  /** Sends SIGTERM, as an operator would. */
  stop(): Promise<number | string>
  /** Sends a signal without waiting. */
  signal(name: "SIGTERM" | "SIGINT"): void
  /** Its log output, for error messages. */
  output(): string
}

export function spawnServer(options: ServerOptions): ServerProcess {
  const [command, ...rest] = [...(options.under ?? []), process.execPath, BIN, "serve"]
  const child = spawn(command ?? process.execPath, rest, {
    env: {
      PATH: process.env.PATH,
      HOME: options.dataFolder,
      PARLOR_PORT: "0",
      PARLOR_DATA: options.dataFolder,
      PARLOR_TOKEN: TOKEN,
      PARLOR_SECRET_KEY: SECRET_KEY,
      // Tests that are not about draining do not wait for a broken store or a model that never ends.
      PARLOR_DRAIN_MS: "3000",
      PARLOR_TITLES: "off",
      PARLOR_MODEL: "compatible/fake",
      OPENAI_BASE_URL: options.modelUrl,
      ...(options.databaseUrl === undefined ? {} : { DATABASE_URL: options.databaseUrl }),
      ...options.env,
    },
    stdio: ["ignore", "pipe", "pipe"],
    // Its own process group, so that the wrapper command is killed with it.
    detached: options.under !== undefined,
  })
  let output = ""
  const keep = (text: Buffer) => {
    output = (output + text.toString()).slice(-KEPT_OUTPUT)
  }
  child.stdout?.on("data", keep)
  child.stderr?.on("data", keep)
  const ended = new Promise<number | string>((resolve) => {
    child.once("exit", (code, signal) => resolve(code ?? signal ?? "unknown"))
    child.once("error", (error) => resolve(error.message))
  })
  const ready = within(
    READY_MS,
    "the start of the server",
    readyLine(child, ended, () => output),
  )
  ready.catch(() => undefined)
  return {
    pid: child.pid ?? 0,
    ready,
    ended,
    output: () => output,
    async kill() {
      killGroup(child, options.under !== undefined)
      await within(EXIT_MS, "the end of a killed server", ended)
    },
    signal: (name) => void child.kill(name),
    stop() {
      child.kill("SIGTERM")
      return within(EXIT_MS, "the end of a stopped server", ended)
    },
  }
}

function readyLine(child: ChildProcess, ended: Promise<unknown>, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.on("data", () => {
      const url = /Parlor is ready: (http:\/\/[^/\s]+)/.exec(output())?.[1]
      if (url !== undefined) resolve(url)
    })
    ended.then((how) => reject(new Error(`the server ended (${String(how)}) before it was ready:\n${output()}`)))
  })
}

function killGroup(child: ChildProcess, isGroup: boolean): void {
  if (!isGroup || child.pid === undefined) {
    child.kill("SIGKILL")
    return
  }
  try {
    process.kill(-child.pid, "SIGKILL")
  } catch {
    // It has already exited.
  }
}
