/** The configuration of an MCP server: where it is, who may use it, and which changes wake which agent. */

export type ServerConfig = (LocalServer | RemoteServer) & {
  /** Agents that may use it. Default: all. */
  readonly agents?: readonly string[]
  /** Tools that need approval for each call: all, none, or a list. Default: none. */
  readonly approval?: "always" | "never" | readonly string[]
  /** Time limit of a call. */
  readonly timeoutMs?: number
  readonly wakeOn?: readonly WakeOn[]
}

/** A process that speaks MCP over stdio. It gets `env` and a few basic variables such as PATH. */
export type LocalServer = {
  readonly command: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** Streamable HTTP. */
export type RemoteServer = { readonly url: string; readonly headers?: Readonly<Record<string, string>> }

/** Wakes an agent when this resource or this list of the server changes. */
export type WakeOn = ({ readonly resource: string } | { readonly list: ListName }) & {
  readonly agent: string
  readonly branch?: string
  readonly person?: string
  /** The message that the agent receives. */
  readonly prompt?: string
  /** The minimum time between two wakes. */
  readonly everyMs?: number
}

export type ListName = "tools" | "resources" | "prompts"

/** Values that are removed from every text that is shown. */
export function secretsOf(config: ServerConfig): readonly string[] {
  const values = "command" in config ? config.env : config.headers
  return Object.values(values ?? {}).filter((value) => value.length >= 4)
}
