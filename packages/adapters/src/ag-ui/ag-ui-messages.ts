/** Stored messages as AG-UI messages, for a snapshot. */
import type { MessageRow, Part } from "@parlor/protocol"
import { callIdOf } from "../call-id.ts"
import { clientIdOf } from "../ui/ui-request.ts"
import { agUiResult } from "./ag-ui-run.ts"

export type AgUiMessage =
  | { readonly id: string; readonly role: "user"; readonly content: string | readonly AgUiPart[] }
  | { readonly id: string; readonly role: "reasoning"; readonly content: string }
  | {
      readonly id: string
      readonly role: "assistant"
      readonly name?: string
      readonly content: string
      readonly toolCalls?: readonly AgUiToolCall[]
    }
  | { readonly id: string; readonly role: "tool"; readonly toolCallId: string; readonly content: string }

type AgUiPart =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "image" | "audio" | "document"
      readonly source: { readonly type: "url"; readonly value: string; readonly mimeType: string }
    }

type AgUiToolCall = {
  readonly id: string
  readonly type: "function"
  readonly function: { readonly name: string; readonly arguments: string }
}

/** In conversation order, without rolled-back messages and abandoned attempts. */
export function agUiMessages(messages: readonly MessageRow[]): readonly AgUiMessage[] {
  const shown = messages.filter((message) => !message.dimmed)
  return shown.flatMap((message, index) => {
    if (message.role === "person") return [userMessage(message)]
    const next = shown[index + 1]
    if (message.state === "failed" && next?.role === "agent" && next.turn === message.turn) return []
    return replyMessages(message)
  })
}

function userMessage(message: MessageRow): AgUiMessage {
  const parts = message.parts.flatMap(userPart)
  const isText = parts.every(({ type }) => type === "text")
  const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("")
  return { id: clientIdOf(message) ?? message.id, role: "user", content: isText ? text : parts }
}

function userPart(part: Part): readonly AgUiPart[] {
  if (part.type === "text") return [{ type: "text", text: part.text }]
  if (part.type !== "attachment") return []
  const { mediaType, hash } = part
  const type = mediaType.startsWith("image/") ? "image" : mediaType.startsWith("audio/") ? "audio" : "document"
  return [{ type, source: { type: "url", value: `/v1/attachments/${hash}`, mimeType: mediaType } }]
}

function replyMessages({ id, author, parts }: MessageRow): readonly AgUiMessage[] {
  const thoughts = parts.flatMap((part, index): AgUiMessage[] =>
    part.type === "reasoning" ? [{ id: `${id}.${index}.reasoning`, role: "reasoning", content: part.text }] : [],
  )
  const content = parts.map((part) => (part.type === "text" ? part.text : "")).join("")
  const tools = parts.filter((part) => part.type === "tool")
  const toolCalls = tools.map(
    ({ call, name, input }): AgUiToolCall => ({
      id: callIdOf(id, call),
      type: "function",
      function: { name, arguments: JSON.stringify(input) },
    }),
  )
  const results = tools.flatMap(({ call, state, output, error }): AgUiMessage[] => {
    if (state === "waiting" || state === "started") return []
    const toolCallId = callIdOf(id, call)
    return [{ id: `${toolCallId}.result`, role: "tool", toolCallId, content: agUiResult({ state, output, error }) }]
  })
  if (content === "" && toolCalls.length === 0) return thoughts
  const calls = toolCalls.length === 0 ? {} : { toolCalls }
  return [
    ...thoughts,
    { id, role: "assistant", ...(author === "" ? {} : { name: author }), content, ...calls },
    ...results,
  ]
}
