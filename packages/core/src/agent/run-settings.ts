/** The commands that an agent may run (SBX-1). */
import type { SandboxLimits } from "../ports/sandbox.ts"

/** What an agent's commands may use. */
export type RunSettings = {
  /** Default: always. */
  readonly approval: "always" | "never"
  readonly network: boolean
  readonly env: Readonly<Record<string, string>>
  readonly limits: SandboxLimits
}

export const defaultRunSettings: RunSettings = {
  approval: "always",
  network: false,
  env: {},
  limits: {
    timeMs: 60_000,
    outputBytes: 4 * 1024 * 1024,
    memoryBytes: 1024 * 1024 * 1024,
    processes: 128,
    diskBytes: 256 * 1024 * 1024,
  },
}
