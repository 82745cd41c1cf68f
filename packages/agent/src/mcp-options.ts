/** An MCP server as an author writes it: for all agents in the config, for one in its definition (TRG-6). */
export type McpServerOptions = (McpProcess | McpAddress) & {
  /** Agents that may use a server of the config. Default: all. */
  readonly agents?: readonly string[]
  /** Which of its tools need the person's approval for each call: all, none, or a list. Default: none. */
  readonly approval?: "always" | "never" | readonly string[]
  /** Timeout of one call. Default: two minutes. */
  readonly timeoutMs?: number
  /** Events of it that wake an agent. */
  readonly wakeOn?: readonly McpWakeOptions[]
}

/** A process, over its standard input and output. */
export type McpProcess = {
  /** The program to start. */
  readonly command: string
  /** Its arguments. */
  readonly args?: readonly string[]
  /** Its environment, besides PATH, HOME and the like. */
  readonly env?: Readonly<Record<string, string>>
  /** Relative to the config file. Default: the config's folder. */
  readonly cwd?: string
}

/** Streamable HTTP. */
export type McpAddress = { readonly url: string; readonly headers?: Readonly<Record<string, string>> }

export type McpWakeOptions = ({ readonly resource: string } | { readonly list: "tools" | "resources" | "prompts" }) & {
  /** The agent to wake; required if several may use the server. */
  readonly agent?: string
  /** In which conversation. Default: `main`. */
  readonly branch?: string
  /** Whose conversation. Default: `me`. */
  readonly person?: string
  /** The message to the agent. */
  readonly prompt?: string
  /** Minimum time between two wakes. Default: 5 seconds. */
  readonly everyMs?: number
}
