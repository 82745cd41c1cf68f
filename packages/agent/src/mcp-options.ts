/** An MCP server as an author writes it: for all agents in the config, for one in its definition (TRG-6). */
export type McpServerOptions = (McpProcess | McpAddress) & {
  /** Who may use it, of a server of the config; all agents, when left out. */
  readonly agents?: readonly string[]
  /** Which of its tools the person has to allow, call by call: all, none, or those named. None, when left out. */
  readonly approval?: "always" | "never" | readonly string[]
  /** Of one call; two minutes, when left out. */
  readonly timeoutMs?: number
  /** What of it wakes an agent. */
  readonly wakeOn?: readonly McpWakeOptions[]
}

/** A process, spoken to over its standard input and output. */
export type McpProcess = {
  readonly command: string
  readonly args?: readonly string[]
  /** All of our environment it gets, but for PATH, HOME and the like. */
  readonly env?: Readonly<Record<string, string>>
  /** From the config file on; the config's own folder, when left out. */
  readonly cwd?: string
}

/** Streamable HTTP. */
export type McpAddress = { readonly url: string; readonly headers?: Readonly<Record<string, string>> }

export type McpWakeOptions = ({ readonly resource: string } | { readonly list: "tools" | "resources" | "prompts" }) & {
  /** Who is woken; has to be said where several may use the server. */
  readonly agent?: string
  /** In which conversation; `main`, when left out. */
  readonly branch?: string
  /** Whose; `me`, when left out. */
  readonly person?: string
  /** What the agent is told. */
  readonly prompt?: string
  /** At most one wake in so long; 5 seconds, when left out. */
  readonly everyMs?: number
}
