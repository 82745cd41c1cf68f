/** [TRN-8] Every request is one that providers accept, whatever came before; and it holds the message it is to answer. */
import type { ModelAgentPart, ModelMessage, ModelRequest } from "@parlor/core"
import type { MessageRow } from "@parlor/protocol"
import type { MakeCheck } from "../check.ts"

/** So long a drive that was replaced in its own process may not know it. */
export const LEFTOVER_MS = 1_000
/** A long turn does not fit a small window. */
const ROOMY = 50_000

export const requests: MakeCheck = (it, wrong, facts) => ({
  called({ number, request, process }) {
    const defect = defectOf(request)
    if (defect !== undefined) wrong("TRN-8", `call ${number}: ${defect}`)
    if (it.owner !== process || it.turn === undefined || it.leftBehindAt + LEFTOVER_MS > facts.now()) return
    const asked = it.rows.messages.get(it.turn.message)
    if (facts.profile.window >= ROOMY && asked !== undefined && !holds(request, textOf(asked)))
      wrong("TRN-8", `call ${number}: the message it answers, ${asked.id}, is not in the request`)
    if (it.openAsks > 0) wrong("TRN-12", `call ${number}: the turn goes on with ${it.openAsks} open asks`)
  },
})

function defectOf({ messages }: ModelRequest): string | undefined {
  if (messages[0]?.role !== "person") return `it begins with ${messages[0]?.role}`
  if (messages.at(-1)?.role === "agent") return "it ends with the agent"
  for (const [index, message] of messages.entries()) {
    const defect = ofMessage(message, messages[index - 1], messages[index + 1])
    if (defect !== undefined) return `message ${index} ${defect}`
  }
  return undefined
}

function ofMessage(
  message: ModelMessage,
  before: ModelMessage | undefined,
  after: ModelMessage | undefined,
): string | undefined {
  if (message.role === before?.role) return `follows another by ${message.role}`
  if (message.role === "tools") return before?.role === "agent" ? undefined : "has results of no calls"
  if (message.role === "person") return isText(message.text) ? undefined : "is empty or malformed"
  if (message.parts.length === 0) return "says nothing"
  for (const part of message.parts) if (part.type === "text" && !isText(part.text)) return "has an empty text"
  const calls = message.parts.filter((part): part is Extract<ModelAgentPart, { type: "tool" }> => part.type === "tool")
  const ids = calls.map((call) => call.call)
  if (new Set(ids).size !== ids.length || ids.includes("")) return `has calls ${ids.join(", ")}`
  for (const { input } of calls)
    if (typeof input !== "object" || input === null || Array.isArray(input)) return "has an input that is no object"
  const results = after?.role === "tools" ? after.results.map((result) => result.call) : []
  return results.join() === ids.join() ? undefined : `has calls ${ids.join(", ")} and results ${results.join(", ")}`
}

function isText(text: string): boolean {
  return text.trim() !== "" && text.isWellFormed()
}

function holds({ messages }: ModelRequest, text: string): boolean {
  return messages.some((message) => message.role === "person" && message.text.includes(text))
}

function textOf(row: MessageRow): string {
  return row.parts.map((part) => (part.type === "text" ? part.text : "")).join("")
}
