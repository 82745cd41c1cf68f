/** A model's tool call as a part of its message: pending, or failed if its input cannot be parsed. Pure. */
import type { ToolPart } from "@parlor/protocol"
import { freeCallId } from "../context/call-id.ts"
import type { Json } from "../ports/json.ts"
import type { ModelEvent } from "../ports/model.ts"
import { cleanJson, cleanText } from "../text/clean-json.ts"
import { unescapeJson } from "../text/tags.ts"

const MAX_INPUT_CHARS = 500_000
/** How much of an invalid input is kept, for people to look at. */
const KEPT_CHARS = 2_000
const MAX_NAME_CHARS = 200

/** `taken`: the ids of all calls that the next request may contain. Some providers give two calls the same id. */
export function waitingCall(event: Extract<ModelEvent, { type: "tool" }>, taken: ReadonlySet<string>): ToolPart {
  const call = freeCallId(event.call, taken)
  const name = cleanText(event.name.slice(0, MAX_NAME_CHARS))
  const base = { type: "tool", call, name, output: null } as const
  const parsed = parseInput(event.input)
  if (parsed.ok) return { ...base, input: parsed.value as ToolPart["input"], state: "waiting", error: null }
  const input = cleanText(event.input.slice(0, KEPT_CHARS))
  return { ...base, input, state: "failed", error: { code: "tool.input", detail: parsed.why } }
}

function parseInput(text: string): { ok: true; value: Json } | { ok: false; why: string } {
  if (text.length > MAX_INPUT_CHARS)
    return { ok: false, why: `The input is longer than ${MAX_INPUT_CHARS} characters.` }
  try {
    return { ok: true, value: unescapeJson(cleanJson(JSON.parse(text || "{}") as Json)) }
  } catch (error) {
    return {
      ok: false,
      why: cleanText(`The input is not valid JSON: ${error instanceof Error ? error.message : error}`),
    }
  }
}
