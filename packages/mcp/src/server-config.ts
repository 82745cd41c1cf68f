/** An MCP server as it is configured: where it is, who may use it, what wakes whom. */

export type ServerConfig = (LocalServer | RemoteServer) & {
  /** Agents that may use it; all, when left out. */
  readonly agents?: readonly string[]
  /** Which of its tools a person has to allow, call by call: all, none, or those named. None, when left out. */
  readonly approval?: "always" | "never" | readonly string[]
  /** Of one call. */
  readonly timeoutMs?: number
  readonly wakeOn?: readonly WakeOn[]
}

/** A process that speaks over its standard input and output. It gets `env` and a handful of harmless variables. */
export type LocalServer = {
  readonly command: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** Streamable HTTP. */
export type RemoteServer = { readonly url: string; readonly headers?: Readonly<Record<string, string>> }

/** A change of this resource, or of a list of the server, is told to an agent. */
export type WakeOn = ({ readonly resource: string } | { readonly list: ListName }) & {
  readonly agent: string
  readonly branch?: string
  readonly person?: string
  /** What the agent is told. */
  readonly prompt?: string
  /** At most one wake in so long. */
  readonly everyMs?: number
}

export type ListName = "tools" | "resources" | "prompts"

/** The values that are nobody's business: they are never shown. */
export function secretsOf(config: ServerConfig): readonly string[] {
  const values = "command" in config ? config.env : config.headers
  return Object.values(values ?? {}).filter((value) => value.length >= 4)
}
