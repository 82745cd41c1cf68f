/**
 * A server that supports only 2026-07-28, over stdio or HTTP (`http <port>`). `write` changes `note://board` and notifies;
 * `order` asks for a size, then for a yes; `blink` ends the notification streams and changes the board without notifying; `rename` changes a tool.
 */
import { createServer } from "node:http"
import { acceptedContent, createMcpHandler, inputRequired, McpServer } from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { z } from "zod"

const BOARD = "note://board"
const nothing = z.object({})
const said = (text) => ({ content: [{ type: "text", text }] })
let board = "empty"
let greeting = "Greets."

/** @param {{ board(server: McpServer): unknown, tools(server: McpServer): unknown, blink(): void }} tell */
function modernServer(tell) {
  const capabilities = { tools: { listChanged: true }, resources: { subscribe: true, listChanged: true } }
  const server = new McpServer({ name: "modern", version: "1.0.0" }, { capabilities })
  server.registerResource("board", BOARD, {}, async (uri) => ({ contents: [{ uri: uri.href, text: board }] }))
  const greet = server.registerTool("greet", { description: greeting, inputSchema: nothing }, async () => said("hello"))
  server.registerTool("write", { description: "Writes.", inputSchema: nothing }, async () => {
    board += "!"
    await tell.board(server)
    return said("written")
  })
  server.registerTool("order", { description: "Orders.", inputSchema: nothing }, async (_input, { mcpReq }) => {
    const size = acceptedContent(mcpReq.inputResponses, "size")?.size ?? mcpReq.requestState()
    const sure = mcpReq.inputResponses?.sure?.action
    if (sure !== undefined) return said(`${size}: ${sure}`)
    const properties = size === undefined ? { size: { type: "string", enum: ["small", "large"] } } : {}
    const key = size === undefined ? "size" : "sure"
    const requestedSchema = { type: "object", properties }
    const asks = { [key]: inputRequired.elicit({ message: key === "size" ? "Which size?" : "Sure?", requestedSchema }) }
    return inputRequired({ inputRequests: asks, ...(size === undefined ? {} : { requestState: size }) })
  })
  server.registerTool("blink", { description: "Ends streams.", inputSchema: nothing }, async () => {
    board += "?"
    tell.blink()
    return said("blinked")
  })
  server.registerTool("rename", { description: "Changes a tool.", inputSchema: nothing }, async () => {
    greeting = "Greets otherwise."
    greet.update({ description: greeting })
    await tell.tools(server)
    return said("renamed")
  })
  return server
}

if (process.argv[2] === "http") serveHttp(Number(process.argv[3]))
else
  serveStdio(
    () =>
      modernServer({
        board: (server) => server.server.sendResourceUpdated({ uri: BOARD }),
        tools: (server) => server.sendToolListChanged(),
        blink: () => {},
      }),
    { legacy: "reject" },
  )

function serveHttp(port) {
  const streams = new Set()
  const handler = createMcpHandler(
    () =>
      modernServer({
        board: () => handler.notify.resourceUpdated(BOARD),
        tools: () => handler.notify.toolsChanged(),
        blink: () => {
          for (const stream of streams) stream.destroy()
        },
      }),
    { legacy: "reject" },
  )
  createServer(async (incoming, out) => {
    const chunks = []
    for await (const chunk of incoming) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const leave = new AbortController()
    out.on("close", () => leave.abort())
    const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])
    const content = body.length === 0 ? {} : { body }
    const request = { method: incoming.method, headers, signal: leave.signal, ...content }
    const response = await handler.fetch(new Request(`http://127.0.0.1:${port}${incoming.url}`, request))
    if (body.includes("subscriptions/listen")) {
      streams.add(out)
      out.on("close", () => streams.delete(out))
    }
    out.writeHead(response.status, Object.fromEntries(response.headers))
    out.flushHeaders()
    for await (const chunk of response.body ?? []) out.write(chunk)
    out.end()
  }).listen(port, "127.0.0.1", () => console.error("listening"))
}
