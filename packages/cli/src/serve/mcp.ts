/** `parlor mcp`: an MCP server for this server's conversations, over standard input and output (TRG-6). */
import { serveStdio } from "@parlor/mcp/parlor"
import { type ConnectionOptions, connect } from "../settings.ts"

export async function serveMcp(options: ConnectionOptions & { readonly version: string }): Promise<number> {
  await serveStdio(connect(options), { version: options.version })
  return 0
}
