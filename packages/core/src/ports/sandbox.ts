/**
 * Runs a command of an agent, isolated from the machine (SBX-1).
 *
 * The command works on a copy of the folder. What it wrote is put into the folder when it has ended, and all of its
 * processes with it. A port that cannot isolate a command must not run it.
 */

export type SandboxCommand = {
  /** For `sh -c`. */
  readonly command: string
  /** The folder on this machine that it works in. */
  readonly folder: string
  readonly limits: SandboxLimits
  /** Whether it may use the network. */
  readonly network: boolean
  /** Nothing of the server's own environment is passed on. */
  readonly env: Readonly<Record<string, string>>
}

export type SandboxLimits = {
  readonly timeMs: number
  /** What it prints; beyond that it is ended. */
  readonly outputBytes: number
  /** Of all its processes together. */
  readonly memoryBytes: number
  readonly processes: number
  /** What it may write. */
  readonly diskBytes: number
}

/** Why a command ended: by itself, by a limit, or because its turn was stopped. */
export type SandboxEnd = "exit" | "time" | "output" | "memory" | "processes" | "disk"

export type SandboxResult = {
  readonly end: SandboxEnd
  /** Null if it was ended by a signal. */
  readonly exit: number | null
  /** Standard output and standard error, in the order they arrived. */
  readonly output: string
  /** Files that were not put into the folder, and why. */
  readonly left: readonly { readonly path: string; readonly why: string }[]
}

export interface Sandbox {
  /** Why it cannot run commands on this machine, as a sentence; undefined if it can. Cheap after the first call. */
  unavailable(): Promise<string | undefined>
  /** Rejects with the signal's reason when it is aborted; nothing is put into the folder then. */
  run(command: SandboxCommand, options: { readonly signal: AbortSignal }): Promise<SandboxResult>
}
