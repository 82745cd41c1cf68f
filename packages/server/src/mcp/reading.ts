/** The tools that read: conversations, messages, search. */
import { askView, cutText, type McpHitView, type McpInput, type McpMessageView, type McpOutput } from "@parlor/adapters"
import type { MessageRow, SearchHitView } from "@parlor/protocol"
import { addressFor, checkScope, heavily, type McpCaller, txidFor } from "./mcp-caller.ts"

export function agents({ services }: McpCaller): McpOutput<"agents"> {
  return { agents: services.runtime.agents().map(({ name, description }) => ({ name, description })) }
}

export async function conversations(
  from: McpCaller,
  { agent, limit, cursor }: McpInput<"conversations">,
): Promise<McpOutput<"conversations">> {
  const query = { agent, limit, cursor, archived: false, ephemeral: false }
  const page = await heavily(from, () => from.services.runtime.list(from.caller.person, query))
  return {
    conversations: page.conversations.map(({ agent, branch, title, preview, activityAt, state, queued, asks }) => ({
      ...{ agent, branch, title, preview, state, queued, asks },
      at: new Date(activityAt).toISOString(),
    })),
    cursor: page.cursor,
  }
}

export async function read(from: McpCaller, input: McpInput<"read">): Promise<McpOutput<"read">> {
  const { runtime } = from.services
  const address = addressFor(from, input)
  return heavily(from, async () => {
    const { status, queued, asks } = await runtime.snapshot(address, { messages: 1 })
    const { messages, older } = await runtime.history(address, { before: input.before, limit: input.limit })
    return {
      state: status.state,
      queued,
      asks: asks.filter(({ state }) => state === "open").map(askView),
      messages: [...messages].sort((a, b) => a.ord - b.ord).map(messageView),
      older,
    }
  })
}

export async function search(from: McpCaller, input: McpInput<"search">): Promise<McpOutput<"search">> {
  const query = { q: input.query, limit: input.limit, agent: input.agent }
  const hits = await heavily(from, () => from.services.runtime.search(from.caller.person, query))
  return { hits: hits.map(hitView) }
}

export async function stop(from: McpCaller, input: McpInput<"stop">): Promise<McpOutput<"stop">> {
  checkScope(from, "write")
  const stop = { turn: undefined, onQueue: undefined, txid: txidFor(from) }
  const { turn, state } = await from.services.runtime.stop(addressFor(from, input), stop)
  return { agent: input.agent, branch: input.branch, turn, state }
}

function messageView(row: MessageRow): McpMessageView {
  const text = row.parts.map((part) => (part.type === "text" ? part.text : "")).join("")
  const tools = row.parts.flatMap((part) => (part.type === "tool" ? [{ name: part.name, state: part.state }] : []))
  return {
    id: row.id,
    from: row.role === "person" ? "person" : row.author || "agent",
    at: new Date(row.at).toISOString(),
    text: cutText(text),
    ...(tools.length === 0 ? {} : { tools }),
    ...(row.dimmed ? { rolledBack: true } : {}),
  }
}

function hitView(hit: SearchHitView): McpHitView {
  const found = { kind: hit.kind, at: new Date(hit.at).toISOString(), snippet: hit.snippet.text }
  return hit.kind === "memory"
    ? { ...found, scope: hit.scope, name: hit.name }
    : { ...found, agent: hit.agent, branch: hit.branch, title: hit.title }
}
