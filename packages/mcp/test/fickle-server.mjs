/**
 * A server whose tool `greet` is defined by a file, so that a test can change it. It exits in the middle of a call of
 * `die`, and writes the progress of a call of `hang` to a file next to it. `write` changes the resource `note://board`.
 */
import { readFileSync, watch, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import {
  CallToolRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js"

const file = process.argv[2] ?? ""
const BOARD = "note://board"
const nothing = { type: "object", properties: {} }
let board = "empty"

const server = new Server(
  { name: "fickle", version: "1.0.0" },
  { capabilities: { tools: { listChanged: true }, resources: { subscribe: true } } },
)

server.setRequestHandler(ListToolsRequestSchema, async () => ({
  tools: [
    {
      name: "greet",
      description: JSON.parse(readFileSync(file, "utf8")).description,
      inputSchema: { type: "object", properties: { name: { type: "string", description: "Whom to greet" } } },
    },
    { name: "die", description: "Ends the process in the middle of the call.", inputSchema: nothing },
    { name: "hang", description: "Never answers.", inputSchema: nothing },
    { name: "write", description: "Writes on the board.", inputSchema: nothing },
    { name: "bad name, with blanks and much more than sixty-four characters in all", inputSchema: nothing },
  ],
}))

server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
  if (params.name === "die") process.kill(process.pid, "SIGKILL")
  if (params.name === "hang") {
    writeFileSync(`${file}.hang`, "begun")
    await new Promise((resolve) => signal.addEventListener("abort", resolve))
    writeFileSync(`${file}.hang`, "cancelled")
  }
  if (params.name === "write") {
    board += "!"
    for (let i = 0; i < 20; i++) await server.sendResourceUpdated({ uri: BOARD })
  }
  return { content: [{ type: "text", text: `hello ${params.arguments?.name ?? params.name}` }] }
})

server.setRequestHandler(ListResourcesRequestSchema, async () => ({ resources: [{ uri: BOARD, name: "board" }] }))
server.setRequestHandler(ReadResourceRequestSchema, async ({ params }) => ({
  contents: [{ uri: params.uri, text: board }],
}))
server.setRequestHandler(SubscribeRequestSchema, async () => ({}))

writeFileSync(`${file}.pid`, String(process.pid))
// Watches the folder, because rewriting the file replaces it.
watch(dirname(file), () => void server.sendToolListChanged())
await server.connect(new StdioServerTransport())
