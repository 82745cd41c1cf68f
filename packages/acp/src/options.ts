/** How a hosted agent is started (HST-13, HST-14). */

export type AgentCommand = {
  /** The program and its arguments. */
  readonly command: readonly string[]
  /** Its environment, besides PATH and a home folder of its own. */
  readonly env: Readonly<Record<string, string>>
  /** A process without work ends after this time. */
  readonly idleMs: number
  /** How long it may take to start, or to open a session. */
  readonly startMs: number
  /** Whether it is offered to read and write files through Parlor; if not, it uses the disk (HST-15). */
  readonly files: boolean
  /** MCP servers that its sessions get (HST-22). */
  readonly mcp: readonly HostedMcpServer[]
}

export type HostedMcpServer = { readonly name: string } & (
  | { readonly command: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> }
  | { readonly url: string; readonly headers: Readonly<Record<string, string>> }
)

export const DEFAULT_IDLE_MS = 10 * 60_000
export const DEFAULT_START_MS = 2 * 60_000
/** Processes of all hosted agents together. */
export const DEFAULT_PROCESSES = 8
