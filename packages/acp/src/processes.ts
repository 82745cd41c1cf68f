/**
 * Processes that Parlor starts for a hosted agent: the agent itself and its terminals (HST-13).
 *
 * Each is the leader of a process group. Ending it ends the group, and on Linux also every process that carries its mark
 * in the environment, wherever it moved to.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { readdir, readFile } from "node:fs/promises"
import { MARK } from "./environment.ts"

const STDERR_CHARS = 2_000
/** Between asking a process to end and ending it. */
const GRACE_MS = 2_000

export type Started = {
  readonly child: ChildProcess
  /** Resolves when it has ended, for whatever reason, or could not be started. */
  readonly ended: Promise<Ended>
  readonly hasEnded: () => boolean
  /** The end of its stderr. */
  readonly stderrTail: () => string
  /** Ends the whole tree. Resolves when the process is gone. */
  end(options?: { readonly now?: boolean }): Promise<void>
}

export type Ended = { readonly code: number | null; readonly signal: string | null; readonly error?: Error }

export type StartOptions = {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly stdin: "pipe" | "ignore"
}

export function start([program = "", ...args]: readonly string[], options: StartOptions): Started {
  const { cwd, env, stdin } = options
  const child = spawn(program, args, { cwd, env, stdio: [stdin, "pipe", "pipe"], detached: true, windowsHide: true })
  let tail = ""
  child.stderr?.on("data", (chunk: Buffer) => {
    tail = (tail + chunk.toString()).slice(-STDERR_CHARS)
  })
  // A pipe that breaks is reported by the end of the process.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on("error", () => {})
  let isOver = false
  const ended = new Promise<Ended>((resolve) => {
    child.once("error", (error) => {
      if (child.pid === undefined) resolve({ code: null, signal: null, error })
    })
    child.once("exit", (code, signal) => resolve({ code, signal }))
  }).finally(() => {
    isOver = true
  })
  return {
    child,
    ended,
    hasEnded: () => isOver,
    stderrTail: () => tail.trim(),
    async end({ now = false } = {}) {
      if (child.pid === undefined) return
      const { pid } = child
      if (!isOver && !now) {
        child.stdin?.end()
        signalGroup(pid, "SIGTERM")
        await Promise.race([ended, pause(GRACE_MS)])
      }
      signalGroup(pid, "SIGKILL")
      await killMarked(env[MARK])
      await ended
    },
  }
}

export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === "win32" ? pid : -pid, signal)
  } catch {
    // The group is gone.
  }
}

/** Processes that left the group, as daemons do, still carry the mark. */
async function killMarked(mark: string | undefined): Promise<void> {
  if (process.platform !== "linux" || mark === undefined) return
  const wanted = `${MARK}=${mark}`
  const names = await readdir("/proc").catch(() => [])
  const pids = names.map(Number).filter((pid) => Number.isSafeInteger(pid) && pid !== process.pid)
  await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "")
      if (environment.split("\0").includes(wanted)) kill(pid)
    }),
  )
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // It has just ended.
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
