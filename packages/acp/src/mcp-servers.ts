/** The MCP servers of an agent's definition, as a session is told about them (HST-22). Pure. */
import type { McpCapabilities, McpServerHttp, McpServerStdio } from "@agentclientprotocol/sdk"
import type { HostedMcpServer } from "./options.ts"

type SessionServer = McpServerStdio | (McpServerHttp & { type: "http" })

/** Every agent supports processes. `left`: names of servers that this one does not support. */
export function mcpServersFor(
  servers: readonly HostedMcpServer[],
  can: McpCapabilities | undefined,
): { readonly servers: readonly SessionServer[]; readonly left: readonly string[] } {
  const isSupported = (server: HostedMcpServer) => "command" in server || can?.http === true
  return {
    servers: servers.filter(isSupported).map(configOf),
    left: servers.filter((server) => !isSupported(server)).map(({ name }) => name),
  }
}

function configOf(server: HostedMcpServer): SessionServer {
  const { name } = server
  if ("command" in server) return { name, command: server.command, args: [...server.args], env: pairsOf(server.env) }
  return { type: "http", name, url: server.url, headers: pairsOf(server.headers) }
}

function pairsOf(values: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }))
}
