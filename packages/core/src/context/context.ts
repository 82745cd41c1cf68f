/**
 * Builds a request that a provider accepts from rows. Pure (CPT-10).
 *
 * Whatever prefix of a log a crash leaves, the request is valid (TRN-8): every tool call is followed by exactly one
 * result, no call id appears twice, nothing is empty, people and agents alternate, and it begins and ends with a
 * message for the agent to answer.
 */
import type { MessageRow, Part, ReturnedBlock, ToolPart } from "@parlor/protocol"
import type { Attached } from "../composer/lower.ts"
import { companyNote } from "../guest/company.ts"
import { heardBy } from "../guest/framing.ts"
import { framed } from "../guest/tag.ts"
import type { Json } from "../ports/json.ts"
import type {
  ModelAgentPart,
  ModelAttachment,
  ModelMessage,
  ModelRequest,
  ModelToolResult,
  ToolSpec,
} from "../ports/model.ts"
import { escapeJson, escapeTags, tagged, written } from "../text/tags.ts"
import type { Brief } from "./brief.ts"
import { callName, freeCallId } from "./call-id.ts"
import { offeredTools } from "./cut-output.ts"
import { type ReturnTo, reasoningAt, returnedBlocks, textMeta, toolMeta } from "./returned.ts"
import { tagNote } from "./tag-note.ts"
import { type DescribedTool, harmlessSpec, toolSpec } from "./tool-spec.ts"

/** What a model is told when its last reply was interrupted by a restart. */
export const CARRY_ON = "[Your reply above was cut off. Continue exactly where it stopped, without repeating it.]"
/** What a model is told when its agent's handler has already replied in its name. */
export const GO_ON = "[You wrote the message above yourself, as a start. Continue your answer.]"
/** Replaces messages that do not fit the window when no message of a person is left. */
const LEFT_OUT = "[The beginning of this conversation was omitted.]"
const UNKNOWN_OUTCOME = "The outcome of this call is unknown: it was interrupted. Check before repeating it."

const SUMMARY_OPENING =
  "\nA summary of the conversation so far. The original messages are kept; use the recall tool, if available, to find them.\n"

/** The input of a request. */
export type RequestInput = Pick<Brief, "author" | "instructions" | "notes" | "summary"> & {
  readonly tools: readonly DescribedTool[]
  /** The conversation's own agent. */
  readonly host: string
  /** In conversation order. */
  readonly messages: readonly MessageRow[]
  /** Attachments of these messages. */
  readonly attached?: Attached
  /** Who gets its reasoning back; nobody, when it is absent. */
  readonly returnTo?: ReturnTo
}

export function buildRequest(parts: RequestInput): ModelRequest {
  const lowered: ModelMessage[] = []
  const taken = new Set<string>()
  const tools = offeredTools(parts.tools, parts.messages).map((tool) => harmlessSpec(toolSpec(tool)))
  const heard = heardBy(parts, parts.messages.filter(isShown))
  for (const one of heard) {
    if (one.by === "self") {
      const returned = one.message === undefined ? [] : returnedBlocks(one.message, parts.returnTo)
      addAgent(lowered, one.parts, { taken, tools, returned })
    } else if (one.by === "person") addPerson(lowered, written(one.pieces), one.attachments)
    else addPerson(lowered, framed(one.name, one.text))
  }
  if (lowered.at(-1)?.role === "agent")
    lowered.push({ role: "person", text: continuation(parts.messages.findLast(isShown)) })
  const company = heard.some(({ by }) => by === "other") ? [companyNote(parts)] : []
  const messages = withNotes(begun(lowered, parts.summary), parts.notes)
  const instructions = [parts.instructions, ...company, tagNote(messages)].filter((text) => text !== "").join("\n\n")
  return { instructions, messages, tools }
}

function continuation(last: MessageRow | undefined): string {
  return last?.state === "done" ? GO_ON : CARRY_ON
}

function isShown(message: MessageRow): boolean {
  return !message.dimmed && message.state !== "failed"
}

/** Ids that are taken, the tools of the request, and what is returned with the parts of this message. */
type Calls = {
  readonly taken: Set<string>
  readonly tools: readonly ToolSpec[]
  readonly returned: readonly ReturnedBlock[]
}

function addPerson(lowered: ModelMessage[], text: string, attachments: readonly ModelAttachment[] = []): void {
  if (text.trim() === "") return
  const last = lowered.at(-1)
  if (last?.role !== "person") lowered.push(personMessage(text, attachments))
  else
    lowered[lowered.length - 1] = personMessage(`${last.text}\n\n${text}`, [
      ...(last.attachments ?? []),
      ...attachments,
    ])
}

function personMessage(text: string, attachments: readonly ModelAttachment[] = []): ModelMessage {
  return attachments.length === 0 ? { role: "person", text } : { role: "person", text, attachments }
}

function addAgent(lowered: ModelMessage[], parts: readonly Part[], calls: Calls): void {
  const said: ModelAgentPart[] = []
  const results: ModelToolResult[] = []
  for (const [index, part] of parts.entries()) {
    said.push(...reasoningAt(calls.returned, part, index))
    if (part.type === "text" && part.text.trim() !== "")
      said.push({ type: "text", text: escapeTags(part.text), ...textMeta(calls.returned, index) })
    // A pending call is not shown: it runs before the next model call, or not at all.
    if (part.type !== "tool" || part.state === "waiting") continue
    const { call, name } = calledAs(part, calls)
    const { outcome, output } = outcomeOf(part)
    const input = objectInput(escapeJson(part.input as Json))
    said.push({ type: "tool", call, name, input, ...toolMeta(calls.returned, part.call) })
    results.push({ call, name, outcome, output: escapeJson(output) })
  }
  // Reasoning alone is no message.
  if (said.every(({ type }) => type === "reasoning")) return
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

/** The summary was written by a model, so it is material like a note, and it cannot end its own tag. */
function begun(lowered: readonly ModelMessage[], summary: string | undefined): readonly ModelMessage[] {
  if (summary === undefined) return begunByPerson(lowered)
  const text = tagged("summary", "", `${SUMMARY_OPENING}\n${escapeTags(summary)}\n`)
  const [first, ...rest] = lowered
  if (first?.role !== "person") return [{ role: "person", text }, ...lowered]
  return [personMessage(`${text}\n\n${first.text}`, first.attachments), ...rest]
}

function begunByPerson(lowered: readonly ModelMessage[]): readonly ModelMessage[] {
  const first = lowered.findIndex((message) => message.role === "person" && ![CARRY_ON, GO_ON].includes(message.text))
  return first >= 0 ? lowered.slice(first) : [{ role: "person", text: LEFT_OUT }, ...lowered]
}

/**
 * Notes are material, so they are placed with the person's words and never in the instructions (MEM-8).
 * `memory/notes.ts` escaped them.
 */
function withNotes(messages: readonly ModelMessage[], notes: string): readonly ModelMessage[] {
  const [first, ...rest] = messages
  if (notes === "" || first?.role !== "person") return messages
  return [personMessage(`${notes}\n\n${first.text}`, first.attachments), ...rest]
}

/** Providers require an object; a model that wrote something else is shown an empty one. */
function objectInput(input: Json): Json {
  return typeof input === "object" && input !== null && !Array.isArray(input) ? input : {}
}
