/** The transport to a server, and the end of the stderr of a local one. */
import { StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import type { ServerConfig } from "./server-config.ts"

/** Of one message. A server that sends a longer one is disconnected. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024
const STDERR_CHARS = 2_000

export type Opened = {
  readonly transport: Transport
  /** The end of its stderr. */
  stderrTail(): string
  /** Ends the session of an older server over HTTP. */
  leave(): Promise<void>
  /** Kills a local process immediately. */
  kill(): void
}

export function openTransport(config: ServerConfig): Opened {
  if ("command" in config) return openLocal(config)
  const headers = { ...config.headers }
  const transport = new StreamableHTTPClientTransport(new URL(config.url), { requestInit: { headers } })
  // Its optional fields may be undefined, which the types of the interface do not allow.
  return {
    transport: transport as Transport,
    stderrTail: () => "",
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
  let tail = ""
  transport.stderr?.on("data", (chunk: Buffer) => {
    tail = (tail + chunk.toString()).slice(-STDERR_CHARS)
  })
  return {
    transport,
    stderrTail: () => tail.trim(),
    leave: async () => {},
    kill: () => {
      if (transport.pid === null) return
      try {
        process.kill(transport.pid, "SIGKILL")
      } catch {
        // It has already exited.
      }
    },
  }
}
