/**
 * Parlor as an MCP server: another agent talks to this one's agents, with the rights of the token it was given and no
 * others. It asks over the SDK as anyone does, so there is no second way in.
 */
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import { type Parlor, ParlorError } from "@parlor/client"
import { limits, type MessageRow, type SearchHitView } from "@parlor/protocol"
import { z } from "zod"
import { answerTo, messageText } from "./answer.ts"

const WAIT_SECONDS = { usual: 45, most: 600 } as const
const READ = { usual: 20, most: 100 } as const
const MAX_TEXT = 20_000

const agent = z.string().min(1).max(limits.nameLength).describe("Who is talked to, such as host")
const branch = z.string().min(1).max(limits.nameLength).default("main").describe("Which conversation with it")

export function parlorServer(parlor: Parlor, options: { readonly version: string }): McpServer {
  const server = new McpServer({ name: "parlor", version: options.version })
  addAgents(server, parlor)
  addSend(server, parlor)
  addRead(server, parlor)
  addSearch(server, parlor)
  return server
}

/** Speaks over standard input and output until whoever started it is gone. */
export async function serveStdio(parlor: Parlor, options: { readonly version: string }): Promise<void> {
  const server = parlorServer(parlor, options)
  const ended = new Promise<void>((resolve) => {
    server.server.onclose = resolve
    process.stdin.once("end", resolve)
    process.stdin.once("close", resolve)
  })
  await server.connect(new StdioServerTransport())
  await ended
  await server.close()
}

function addAgents(server: McpServer, parlor: Parlor): void {
  const about = { description: "Lists the agents one can talk to.", annotations: { readOnlyHint: true } }
  server.registerTool("agents", about, () =>
    answered(async () => (await parlor.agents()).map(({ name, description }) => ({ name, description }))),
  )
}

function addSend(server: McpServer, parlor: Parlor): void {
  const inputSchema = {
    agent,
    branch,
    text: z.string().min(1).max(200_000),
    waitSeconds: z
      .number()
      .int()
      .min(0)
      .max(WAIT_SECONDS.most)
      .default(WAIT_SECONDS.usual)
      .describe("How long to wait for the answer; 0 to leave as soon as the message is stored"),
  }
  const description =
    "Sends a message to an agent in the person's name and waits for the answer. A message to an agent that is busy waits " +
    "its turn. When the state is running or asks, read the conversation later: the person answers what is asked."
  server.registerTool("send", { description, inputSchema }, ({ agent, branch, text, waitSeconds }, { signal }) =>
    answered(async () => {
      const conversation = parlor.conversation(agent, branch)
      const sent = await conversation.send(text)
      const base = { message: sent.message, outcome: sent.outcome }
      if (waitSeconds === 0) return { ...base, state: "running" }
      const answer = await answerTo(conversation, sent, { waitMs: waitSeconds * 1_000, signal })
      return { ...base, ...answer, text: cut(answer.text) }
    }),
  )
}

function addRead(server: McpServer, parlor: Parlor): void {
  const inputSchema = {
    agent,
    branch,
    limit: z.number().int().min(1).max(READ.most).default(READ.usual).describe("How many messages, the newest"),
    before: z.string().max(limits.nameLength).describe("Only messages before this one, by its id").optional(),
  }
  const about = { description: "Reads the newest messages of a conversation.", inputSchema }
  server.registerTool("read", { ...about, annotations: { readOnlyHint: true } }, ({ agent, branch, limit, before }) =>
    answered(async () => {
      const conversation = parlor.conversation(agent, branch)
      const page = { limit, ...(before === undefined ? {} : { before }) }
      const [{ status }, { messages }] = await Promise.all([
        conversation.open({ messages: 1 }),
        conversation.messages(page),
      ])
      const inOrder = [...messages].sort((a, b) => a.ord - b.ord)
      return { state: status.state, messages: inOrder.map(shownMessage) }
    }),
  )
}

function addSearch(server: McpServer, parlor: Parlor): void {
  const inputSchema = {
    query: z.string().min(1).max(limits.searchLength),
    agent: agent.optional(),
    limit: z.number().int().min(1).max(limits.searchHits).default(limits.searchHitsDefault),
  }
  const about = { description: "Searches all of the person's conversations and memories, best first.", inputSchema }
  server.registerTool("search", { ...about, annotations: { readOnlyHint: true } }, ({ query, agent, limit }) =>
    answered(async () => {
      const hits = await parlor.search(query, { limit, ...(agent === undefined ? {} : { agent }) })
      return hits.map(shownHit)
    }),
  )
}

function shownMessage(row: MessageRow) {
  const tools = row.parts.flatMap((part) => (part.type === "tool" ? [{ name: part.name, state: part.state }] : []))
  return {
    id: row.id,
    from: row.role === "person" ? "person" : row.author || "agent",
    at: new Date(row.at).toISOString(),
    text: cut(messageText({ ...row, author: "" })),
    ...(tools.length === 0 ? {} : { tools }),
    ...(row.dimmed ? { rolledBack: true } : {}),
  }
}

function shownHit(hit: SearchHitView) {
  const found = { kind: hit.kind, at: new Date(hit.at).toISOString(), snippet: hit.snippet.text }
  return hit.kind === "memory"
    ? { ...found, scope: hit.scope, name: hit.name }
    : { ...found, agent: hit.agent, branch: hit.branch, title: hit.title }
}

/** What is refused is an answer the caller can read, not a broken call. */
async function answered(work: () => Promise<unknown>) {
  try {
    return { content: [{ type: "text" as const, text: JSON.stringify(await work(), null, 2) }] }
  } catch (error) {
    if (!(error instanceof ParlorError)) throw error
    return { isError: true, content: [{ type: "text" as const, text: `${error.code}: ${error.message}` }] }
  }
}

function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT).toWellFormed()}… [cut]`
}
