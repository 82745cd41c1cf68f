/** Operations in groups, by their paths. */
export type Tag = { readonly name: string; readonly description: string }

/** By the segment after the conversation, then by the first segment after `/v1`. A new segment is a group by itself. */
const groups: Readonly<Record<string, Tag>> = {
  conversations: { name: "Conversations", description: "Create, list, mark, delete and follow conversations" },
  messages: { name: "Messages", description: "Send messages, stop replies, answer what agents ask" },
  queue: { name: "Queue", description: "Messages that wait while the agent is busy" },
  branches: { name: "Branches", description: "Branches and sidecars of a conversation" },
  rollback: { name: "Rollback", description: "Go back to an earlier message, including files" },
  archives: { name: "Compaction", description: "Summaries of older messages" },
  files: { name: "Files", description: "The files an agent works on" },
  inspect: { name: "Inspector", description: "What happened in a turn, step by step" },
  server: { name: "Server", description: "Health, version and this document" },
  triggers: { name: "Triggers", description: "Schedules, webhooks and outgoing webhooks" },
  people: { name: "People", description: "Keys, linked names, usage" },
  openai: { name: "OpenAI", description: "OpenAI's API over agents and conversations" },
  "ag-ui": { name: "AG-UI", description: "The protocol of AG-UI apps" },
  mcp: { name: "MCP", description: "Parlor as an MCP server, and the MCP servers of agents" },
  ui: { name: "AI SDK", description: "The chat protocol of the AI SDK" },
}

const groupOf: Readonly<Record<string, string>> = {
  events: "conversations",
  export: "conversations",
  import: "conversations",
  feed: "conversations",
  stop: "messages",
  asks: "messages",
  answer: "messages",
  keep: "branches",
  merge: "branches",
  close: "branches",
  compact: "archives",
  changes: "files",
  livez: "server",
  readyz: "server",
  healthz: "server",
  "openapi.json": "server",
  metrics: "server",
  version: "server",
  "sign-in": "server",
  agents: "server",
  config: "server",
  schedules: "triggers",
  hooks: "triggers",
  notices: "triggers",
  account: "people",
  keys: "people",
  links: "people",
  usage: "people",
  preferences: "people",
  push: "people",
  models: "openai",
  chat: "openai",
  responses: "openai",
}

export function tagOf(path: string): Tag {
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== "v1")
  const [first = "", , , inside] = segments
  const segment = first === "conversations" && inside !== undefined ? inside : first
  const name = groupOf[segment] ?? segment
  const title = name.slice(0, 1).toUpperCase() + name.slice(1)
  return groups[name] ?? { name: title, description: `Operations under ${title}` }
}
