/**
 * What the strictest of the providers would object to in a request: one sentence each, none if it is accepted (TRN-8).
 *
 * Alternation and pairing are Anthropic's rules, the length of an id is OpenAI's, the first letter of a name is
 * Google's.
 */
import { textDefect } from "@parlor/protocol"
import type { ModelAgentPart, ModelMessage, ModelRequest } from "../ports/model.ts"

const CALL_ID = /^[\w-]{1,40}$/
const NAME = /^[a-z_][\w-]{0,63}$/i
const MAX_DEPTH = 100

export function requestDefects(request: ModelRequest): string[] {
  const { messages } = request
  const defects = messages.flatMap((message, index) =>
    messageDefects(message, messages[index - 1], messages[index + 1]),
  )
  if (messages[0]?.role !== "person") defects.push("it does not begin with a person's message")
  if (messages.at(-1)?.role === "agent") defects.push("it ends with the agent's message")
  const ids = messages.flatMap((message) => callsOf(message).map((part) => part.call))
  for (const id of ids) if (!CALL_ID.test(id)) defects.push(`the call id ${JSON.stringify(id)} is not well formed`)
  if (new Set(ids).size < ids.length) defects.push(`a call id comes twice: ${ids.join(", ")}`)
  return [...defects, ...valueDefects(request, 0)]
}

function messageDefects(
  message: ModelMessage,
  before: ModelMessage | undefined,
  after: ModelMessage | undefined,
): string[] {
  switch (message.role) {
    case "person":
      return when(message.text.trim() === "", "a person's message is empty").concat(
        when(before?.role === "person", "two messages of a person follow each other"),
      )
    case "agent":
      return [
        ...when(message.parts.length === 0, "an agent's message is empty"),
        ...when(message.parts.some(isBlank), "a text of the agent is empty"),
        ...when(before?.role === "agent", "two messages of the agent follow each other"),
        ...callsOf(message).flatMap((part) => when(!NAME.test(part.name), `${JSON.stringify(part.name)} is no name`)),
        ...callsOf(message).flatMap((part) => when(!isObject(part.input), "the input of a call is no object")),
        ...when(answeredIn(after) !== askedIn(message), "calls and results do not match"),
      ]
    case "tools":
      return [
        ...when(before?.role !== "agent", "results follow no calls"),
        ...message.results.flatMap(({ outcome, output }) =>
          when(outcome === "failed" && output === "", "a failure says nothing"),
        ),
      ]
  }
}

function callsOf(message: ModelMessage): readonly Extract<ModelAgentPart, { type: "tool" }>[] {
  return message.role === "agent" ? message.parts.flatMap((part) => (part.type === "tool" ? [part] : [])) : []
}

function askedIn(message: ModelMessage): string {
  return JSON.stringify(callsOf(message).map(({ call, name }) => [call, name]))
}

function answeredIn(message: ModelMessage | undefined): string {
  return JSON.stringify(message?.role === "tools" ? message.results.map(({ call, name }) => [call, name]) : [])
}

function isBlank(part: ModelAgentPart): boolean {
  return part.type === "text" && part.text.trim() === ""
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** Text that a provider's parser rejects, numbers that JSON does not have, and unlimited nesting. */
function valueDefects(value: unknown, depth: number): string[] {
  if (depth > MAX_DEPTH) return ["it is nested too deeply"]
  if (typeof value === "string") return when(textDefect(value) !== undefined, `a text ${textDefect(value)}`)
  if (typeof value === "number") return when(!Number.isFinite(value), "a number is not finite")
  if (value instanceof Uint8Array) return when(value.length === 0, "an attachment is empty")
  if (typeof value !== "object" || value === null) return when(value === undefined, "a value is undefined")
  return Object.entries(value).flatMap(([key, inner]) => [
    ...valueDefects(key, depth),
    ...valueDefects(inner, depth + 1),
  ])
}

function when(wrong: boolean, sentence: string): string[] {
  return wrong ? [sentence] : []
}
