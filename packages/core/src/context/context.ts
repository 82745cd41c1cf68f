/**
 * From rows to a request a provider accepts. Pure (CPT-10).
 *
 * Whatever prefix of a log a crash leaves, the request is valid (TRN-8): every tool call is followed by exactly one
 * result, no call id comes twice, nothing is empty, people and agents alternate, it begins and ends with something for
 * the agent to answer.
 */
import type { MessageRow, Part, ToolPart } from "@parlor/protocol"
import { personText } from "../composer/lower.ts"
import type { Json, ModelAgentPart, ModelMessage, ModelRequest, ModelToolResult, ToolSpec } from "../ports/model.ts"
import type { Brief } from "./brief.ts"
import { callName, freeCallId } from "./call-id.ts"
import { toolSpec } from "./tool-spec.ts"

/** What a model is told when its last reply was cut off by a restart. */
export const CARRY_ON = "[Your reply above was cut off. Carry on exactly where it stopped, without repeating it.]"
/** Stands where the messages before do not fit the window and none of a person's is left. */
const LEFT_OUT = "[The beginning of this conversation is left out.]"
const UNKNOWN_OUTCOME = "The outcome of this call is unknown: it was interrupted. Check before repeating it."

/** What a request is made of. */
export type RequestParts = Pick<Brief, "author" | "instructions" | "notes" | "tools"> & {
  /** The conversation's own agent. */
  readonly host: string
  /** In the order of the conversation. */
  readonly messages: readonly MessageRow[]
}

export function buildRequest(parts: RequestParts): ModelRequest {
  const lowered: ModelMessage[] = []
  const taken = new Set<string>()
  const tools = parts.tools.map(toolSpec)
  for (const message of parts.messages) {
    if (message.dimmed || message.state === "failed") continue
    if (message.role === "person") addPerson(lowered, personText(message))
    else addAgent(lowered, message.parts, { taken, tools })
  }
  if (lowered.at(-1)?.role === "agent") lowered.push({ role: "person", text: CARRY_ON })
  return { instructions: parts.instructions, messages: begunByPerson(lowered), tools }
}

/** Which ids are given already, and which names are those of tools. */
type Calls = { readonly taken: Set<string>; readonly tools: readonly ToolSpec[] }

export function textOf(parts: readonly Part[]): string {
  let text = ""
  for (const part of parts) if (part.type === "text") text += part.text
  return text
}

function addPerson(lowered: ModelMessage[], text: string): void {
  if (text.trim() === "") return
  const last = lowered.at(-1)
  if (last?.role === "person") lowered[lowered.length - 1] = { role: "person", text: `${last.text}\n\n${text}` }
  else lowered.push({ role: "person", text })
}

function addAgent(lowered: ModelMessage[], parts: readonly Part[], calls: Calls): void {
  const said: ModelAgentPart[] = []
  const results: ModelToolResult[] = []
  for (const part of parts) {
    if (part.type === "text" && part.text.trim() !== "") said.push({ type: "text", text: part.text })
    // A call that waits never was: it runs before the model is asked again, or not at all.
    if (part.type !== "tool" || part.state === "waiting") continue
    const { call, name } = calledAs(part, calls)
    said.push({ type: "tool", call, name, input: objectInput(part.input as Json) })
    results.push({ call, name, ...outcomeOf(part) })
  }
  if (said.length === 0) return
  const last = lowered.at(-1)
  if (last?.role === "agent") lowered[lowered.length - 1] = { role: "agent", parts: [...last.parts, ...said] }
  else lowered.push({ role: "agent", parts: said })
  if (results.length > 0) lowered.push({ role: "tools", results })
}

function calledAs(part: ToolPart, { taken, tools }: Calls): { readonly call: string; readonly name: string } {
  const call = freeCallId(part.call, taken)
  taken.add(call)
  return { call, name: tools.some((tool) => tool.name === part.name) ? part.name : callName(part.name) }
}

function outcomeOf(part: ToolPart): Pick<ModelToolResult, "outcome" | "output"> {
  if (part.state === "done") return { outcome: "done", output: part.output as Json }
  if (part.state === "failed") return { outcome: "failed", output: part.error?.detail || "The tool failed." }
  return { outcome: "failed", output: UNKNOWN_OUTCOME }
}

function begunByPerson(lowered: readonly ModelMessage[]): readonly ModelMessage[] {
  const first = lowered.findIndex((message) => message.role === "person" && message.text !== CARRY_ON)
  return first >= 0 ? lowered.slice(first) : [{ role: "person", text: LEFT_OUT }, ...lowered]
}

/** Providers want an object; a model that wrote something else is shown an empty one. */
function objectInput(input: Json): Json {
  return typeof input === "object" && input !== null && !Array.isArray(input) ? input : {}
}
