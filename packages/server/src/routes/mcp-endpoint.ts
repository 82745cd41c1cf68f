/** Parlor as an MCP server, over streamable HTTP without sessions (API-40). */
import type { Call, Services } from "../services.ts"
import type { WebAnswer } from "../streams/web-answer.ts"

export const handlers = { mcp }

/** The headers that the protocol defines. */
const HEADERS = ["accept", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"]

async function mcp(services: Services, call: Call<"mcp">): Promise<WebAnswer> {
  const { respondTo } = await import("../mcp/tool-server.ts")
  const headers = HEADERS.flatMap((name): [string, string][] => {
    const value = call.header(name)
    return value === undefined ? [] : [[name, value]]
  })
  return {
    respond: ({ signal, out }) => {
      // The body was read and checked like any other: the URL and the rest of the request play no role.
      const request = new Request("http://localhost/mcp", { method: "POST", headers, signal })
      return respondTo({ services, caller: call.caller, out }, request, call.body)
    },
  }
}
