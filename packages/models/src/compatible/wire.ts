/**
 * The chat-completions wire format: what is sent, and what may come back.
 *
 * Servers differ in what they leave out, so every field of a chunk is optional, and `parse.ts` checks each one.
 */
import type {
  CallSettings,
  Json,
  ModelAgentPart,
  ModelAttachment,
  ModelMessage,
  ModelRequest,
  ModelToolResult,
  ToolSpec,
} from "@parlor/core"
import { base64Of, carried, compatibleTakes } from "../attachments.ts"

export type ChatChunk = {
  readonly choices?: readonly ChatChoice[] | null
  readonly usage?: ChatUsage | null
  readonly error?: unknown
  readonly object?: unknown
}

type ChatChoice = { readonly delta?: ChatDelta | null; readonly finish_reason?: unknown }

export type ChatDelta = {
  readonly content?: unknown
  readonly refusal?: unknown
  readonly reasoning_content?: unknown
  readonly reasoning?: unknown
  readonly tool_calls?: unknown
}

export type ChatToolDelta = {
  readonly index?: unknown
  readonly id?: unknown
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null
}

export type ChatUsage = {
  readonly prompt_tokens?: unknown
  readonly completion_tokens?: unknown
  readonly prompt_tokens_details?: { readonly cached_tokens?: unknown } | null
  readonly completion_tokens_details?: { readonly reasoning_tokens?: unknown } | null
}

/** The pieces of a request's body, in order. The tools come last: they are usually the same as in the last request. */
export function bodyWriter(model: string): (request: ModelRequest) => readonly Buffer[] {
  const head = JSON.stringify({ model, stream: true, stream_options: { include_usage: true } }).slice(0, -1)
  let last: { readonly tools: readonly ToolSpec[]; readonly tail: Buffer } = { tools: [], tail: Buffer.from("}") }
  return (request) => {
    const { tools } = request
    if (!isSame(tools, last.tools)) last = { tools, tail: Buffer.from(toolsTail(tools)) }
    const settings = settingsText(request.settings)
    return [Buffer.from(`${head}${settings},"messages":${JSON.stringify(chatMessages(request))}`), last.tail]
  }
}

/** Fields of the body that settings cannot replace. */
const ownFields: ReadonlySet<string> = new Set([
  "model",
  "messages",
  "tools",
  "tool_choice",
  "stream",
  "stream_options",
])

/** Provider options are fields of the body, under the names that the server knows (MOD-2). */
function settingsText(settings: CallSettings | undefined): string {
  if (settings === undefined) return ""
  const { temperature, maxOutputTokens, reasoning, providerOptions } = settings
  const given = Object.entries(providerOptions?.compatible ?? {}).filter(([name]) => !ownFields.has(name))
  const fields = {
    temperature,
    max_tokens: maxOutputTokens,
    reasoning_effort: reasoning,
    ...Object.fromEntries(given),
  }
  const text = JSON.stringify(fields).slice(1, -1)
  return text === "" ? "" : `,${text}`
}

function toolsTail(tools: readonly ToolSpec[]): string {
  return tools.length === 0 ? "}" : `,"tools":${JSON.stringify(tools.map(chatTool))},"tool_choice":"auto"}`
}

/** An unchanged tool is the same object. */
function isSame(tools: readonly ToolSpec[], known: readonly ToolSpec[]): boolean {
  return tools.length === known.length && tools.every((tool, index) => tool === known[index])
}

type ChatMessage =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: string | readonly ChatPart[] }
  | ({
      readonly role: "assistant"
      readonly content: string | null
      readonly tool_calls?: readonly ChatToolCall[]
    } & Thought)
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string }

/** Under the name that the server used for it. */
type Thought = { readonly reasoning_content?: string; readonly reasoning?: string }

type ChatPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image_url"; readonly image_url: { readonly url: string } }

type ChatToolCall = {
  readonly id: string
  readonly type: "function"
  readonly function: { readonly name: string; readonly arguments: string }
}

function chatMessages(request: ModelRequest): ChatMessage[] {
  const messages: ChatMessage[] = []
  if (request.instructions !== "") messages.push({ role: "system", content: request.instructions })
  for (const message of request.messages) pushMessage(messages, message)
  return messages
}

function pushMessage(messages: ChatMessage[], message: ModelMessage): void {
  switch (message.role) {
    case "person":
      messages.push(personMessage(message))
      return
    case "agent": {
      const said = agentMessage(message.parts)
      if (said !== undefined) messages.push(said)
      return
    }
    case "tools":
      for (const result of message.results) messages.push(toolMessage(result))
  }
}

/** Plain text if there are no files: some servers accept nothing else. */
function personMessage(message: Extract<ModelMessage, { role: "person" }>): ChatMessage {
  const { text, files } = carried(message, compatibleTakes)
  if (files.length === 0) return { role: "user", content: text }
  return { role: "user", content: [...files.map(imagePart), { type: "text", text }] }
}

function imagePart({ mediaType, data }: ModelAttachment): ChatPart {
  return { type: "image_url", image_url: { url: `data:${mediaType};base64,${base64Of(data)}` } }
}

function agentMessage(parts: readonly ModelAgentPart[]): ChatMessage | undefined {
  let text = ""
  const calls: ChatToolCall[] = []
  for (const part of parts) {
    if (part.type === "text") text += part.text
    else if (part.type === "tool")
      calls.push({
        id: part.call,
        type: "function",
        function: { name: part.name, arguments: JSON.stringify(part.input) },
      })
  }
  const thought = thoughtIn(parts)
  if (calls.length > 0) return { role: "assistant", content: text === "" ? null : text, ...thought, tool_calls: calls }
  return text === "" ? undefined : { role: "assistant", content: text, ...thought }
}

/** Reasoning goes back under the name under which it came (MOD-7). */
function thoughtIn(parts: readonly ModelAgentPart[]): Thought {
  let text = ""
  let field: keyof Thought | undefined
  for (const part of parts) {
    if (part.type !== "reasoning") continue
    text += part.text
    field = fieldOf(part.meta) ?? field
  }
  return field === undefined || text === "" ? {} : { [field]: text }
}

/** What `parse.ts` notes with a block of reasoning. */
export function thoughtMeta(field: keyof Thought): Json {
  return { compatible: { field } }
}

function fieldOf(meta: Json): keyof Thought | undefined {
  const { compatible } = (meta ?? {}) as { readonly compatible?: { readonly field?: unknown } }
  const field = compatible?.field
  return field === "reasoning_content" || field === "reasoning" ? field : undefined
}

function toolMessage(result: ModelToolResult): ChatMessage {
  return { role: "tool", tool_call_id: result.call, content: plainText(result.output) }
}

function plainText(output: Json): string {
  return typeof output === "string" ? output : JSON.stringify(output)
}

function chatTool(tool: ToolSpec): unknown {
  return {
    type: "function",
    function: { name: tool.name, description: tool.description, parameters: tool.inputSchema },
  }
}
