/** `parlor mcp list` and `pin`: MCP server status and trusted tools. */
import type { McpServerView } from "@parlor/protocol"
import { Complaint } from "../complaint.ts"
import { plain, plainJson } from "../plain.ts"
import { type ConnectionOptions, connect } from "../settings.ts"
import type { Terminal } from "../terminal.ts"

export type McpListOptions = ConnectionOptions & { readonly json?: boolean; readonly terminal: Terminal }

export async function list(options: McpListOptions): Promise<number> {
  const { terminal } = options
  const servers = await connect(options).mcpServers()
  for (const server of servers)
    await terminal.out(options.json ? `${plainJson(JSON.stringify(server))}\n` : `${linesOf(server).join("\n")}\n`)
  if (servers.length === 0 && !options.json) terminal.note(NONE)
  return 0
}

/** Pins the current definition; if it changes in between, the pin is refused. */
export async function pin(
  options: ConnectionOptions & { readonly server: string; readonly tool: string; readonly terminal: Terminal },
): Promise<number> {
  const parlor = connect(options)
  const server = (await parlor.mcpServers()).find(({ name }) => name === options.server)
  const tool = server?.tools.find(({ tool, name }) => tool === options.tool || name === options.tool)
  if (server === undefined || tool === undefined)
    throw new Complaint(
      `The MCP server ${options.server} has no tool ${options.tool}. "parlor mcp list" shows the tools.`,
    )
  await parlor.pinMcpTool(server.name, tool.tool, tool.hash)
  const words = `The current definition of ${tool.name} is now trusted for everyone.`
  await options.terminal.report(words, { server: server.name, tool: tool.tool, hash: tool.hash })
  return 0
}

function linesOf(server: McpServerView): readonly string[] {
  const { name, transport, state, agents, tools, leftOut, slashCommands: commands, wakes, lastError, retryAt } = server
  const again = retryAt === null ? "" : `, next attempt at ${new Date(retryAt).toLocaleTimeString()}`
  const lines = [
    `${name}  ${transport}  ${state}${again}`,
    ...(lastError === null ? [] : [`    last error: ${lastError}`]),
    ...(agents === null ? [] : [`    for: ${agents.join(", ")}`]),
    ...tools.map(
      (tool) => `    ${tool.name}${tool.changed ? "  (changed: needs approval before its first call)" : ""}`,
    ),
    ...leftOut.map(({ tool, why }) => `    left out: ${tool}: ${why}`),
    ...commands.map((command) => `    /${command}`),
    ...wakes.map((wake) => `    wakes ${wake.agent}/${wake.branch} on ${wake.on}${wokenAt(wake)}`),
  ]
  return lines.map((line) => plain(line))
}

function wokenAt({ lastAt, lastError }: McpServerView["wakes"][number]): string {
  const last = lastAt === null ? "" : `, last at ${new Date(lastAt).toLocaleString()}`
  return lastError === null ? last : `${last}, failed: ${lastError}`
}

const NONE = "No MCP servers are configured. Add them to parlor.config.ts, under mcp."
