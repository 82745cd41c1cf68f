/**
 * From rows to a request a provider accepts. Pure (CPT-10).
 *
 * Whatever prefix of a log a crash leaves, the request is valid (TRN-8): every tool call is followed by exactly one
 * result, nothing is empty, people and agents alternate, it begins and ends with something for the agent to answer.
 */
import type { MessageRow, Part, ToolPart } from "@parlor/protocol"
import type { Agent } from "../agent/agent.ts"
import type { Json, ModelAgentPart, ModelMessage, ModelRequest, ModelToolResult, ToolSpec } from "../ports/model.ts"
import { toolSpec } from "./tool-spec.ts"

/** What a model is told when its last reply was cut off by a restart. */
export const CARRY_ON = "[Your reply above was cut off. Carry on exactly where it stopped, without repeating it.]"
const UNKNOWN_OUTCOME = "The outcome of this call is unknown: it was interrupted. Check before repeating it."

/** `messages` in the order of the conversation. */
export function buildRequest(agent: Agent, messages: readonly MessageRow[]): ModelRequest {
  const lowered: ModelMessage[] = []
  for (const message of messages) {
    if (message.dimmed || message.state === "failed") continue
    if (message.role === "person") addPerson(lowered, textOf(message.parts))
    else addAgent(lowered, message.parts)
  }
  while (lowered[0] !== undefined && lowered[0].role !== "person") lowered.shift()
  if (lowered.at(-1)?.role === "agent") lowered.push({ role: "person", text: CARRY_ON })
  return { instructions: agent.instructions, messages: lowered, tools: specsOf(agent) }
}

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

function addAgent(lowered: ModelMessage[], parts: readonly Part[]): void {
  const said: ModelAgentPart[] = []
  const results: ModelToolResult[] = []
  for (const part of parts) {
    if (part.type === "text" && part.text.trim() !== "") said.push({ type: "text", text: part.text })
    if (part.type !== "tool") continue
    said.push({ type: "tool", call: part.call, name: part.name, input: objectInput(part.input as Json) })
    results.push(resultOf(part))
  }
  if (said.length === 0) return
  const last = lowered.at(-1)
  if (last?.role === "agent") lowered[lowered.length - 1] = { role: "agent", parts: [...last.parts, ...said] }
  else lowered.push({ role: "agent", parts: said })
  if (results.length > 0) lowered.push({ role: "tools", results })
}

function resultOf(part: ToolPart): ModelToolResult {
  const base = { call: part.call, name: part.name }
  if (part.state === "done") return { ...base, outcome: "done", output: part.output as Json }
  if (part.state === "failed") return { ...base, outcome: "failed", output: part.error?.detail ?? "The tool failed." }
  return { ...base, outcome: "failed", output: UNKNOWN_OUTCOME }
}

/** Providers want an object; a model that wrote something else is shown an empty one. */
function objectInput(input: Json): Json {
  return typeof input === "object" && input !== null && !Array.isArray(input) ? input : {}
}

const specs = new WeakMap<Agent, readonly ToolSpec[]>()

function specsOf(agent: Agent): readonly ToolSpec[] {
  const known = specs.get(agent)
  if (known !== undefined) return known
  const made = agent.tools.map(toolSpec)
  specs.set(agent, made)
  return made
}
