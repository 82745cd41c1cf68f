import { Refusal } from "@parlor/protocol"
import type { Call, Services } from "../services.ts"

export const handlers = { listMcpServers, pinMcpTool }

async function listMcpServers({ runtime }: Services, call: Call<"listMcpServers">) {
  return { servers: [...runtime.mcpServers(call.caller.person)] }
}

async function pinMcpTool({ runtime }: Services, call: Call<"pinMcpTool">) {
  const { server, tool } = call.params
  if (await runtime.pinMcpTool(server, tool, call.body.hash)) return
  throw new Refusal(
    "mcp.changed",
    `The MCP server ${server} no longer has a tool ${tool} with this definition. Review it again.`,
    "/hash",
  )
}
