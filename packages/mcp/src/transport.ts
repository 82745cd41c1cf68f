/** A way to a server, and the last words of one that runs here. */
import { StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import type { ServerConfig } from "./server-config.ts"

/** Of one message of a server. A server that says more in one go is cut off. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024
const KEPT_WORDS = 2_000

export type Opened = {
  readonly transport: Transport
  /** The end of what it wrote to its standard error. */
  lastWords(): string
  /** Tells a server over HTTP that it may forget us. */
  leave(): Promise<void>
  /** Ends a process at once, for when there is no time to ask it. */
  kill(): void
}

export function openTransport(config: ServerConfig): Opened {
  if ("command" in config) return openLocal(config)
  const headers = { ...config.headers }
  const transport = new StreamableHTTPClientTransport(new URL(config.url), { requestInit: { headers } })
  // Its optional fields may be undefined, which the interface's own types do not say.
  return {
    transport: transport as Transport,
    lastWords: () => "",
    leave: () => transport.terminateSession(),
    kill: () => {},
  }
}

function openLocal(config: Extract<ServerConfig, { command: string }>): Opened {
  const transport = new StdioClientTransport({
    command: config.command,
    args: [...(config.args ?? [])],
    env: { ...config.env },
    stderr: "pipe",
    maxBufferSize: MAX_MESSAGE_BYTES,
    ...(config.cwd === undefined ? {} : { cwd: config.cwd }),
  })
  let words = ""
  transport.stderr?.on("data", (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-KEPT_WORDS)
  })
  return {
    transport,
    lastWords: () => words.trim(),
    leave: async () => {},
    kill: () => {
      if (transport.pid === null) return
      try {
        process.kill(transport.pid, "SIGKILL")
      } catch {
        // It is gone already.
      }
    },
  }
}
