import type { Call, Services } from "../services.ts"

export const handlers = { listMcpServers }

async function listMcpServers({ runtime }: Services, _call: Call<"listMcpServers">) {
  return { servers: [...runtime.mcpServers()] }
}
