/** `parlor mcp`: an MCP server for this server's conversations, over standard input and output (TRG-6). */
import { relayStdio } from "@parlor/mcp/parlor"
import { type ConnectionOptions, readSettings } from "../settings.ts"

export async function serveMcp(options: ConnectionOptions & { readonly version: string }): Promise<number> {
  await relayStdio(readSettings(options, process.env), { version: options.version })
  return 0
}
