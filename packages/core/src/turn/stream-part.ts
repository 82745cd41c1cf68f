/**
 * Reads the parts of a foreign stream: text, parts of the AI SDK's `fullStream`, or of its UI message stream. Pure.
 *
 * Older versions of the AI SDK and frameworks built on it use other names for the same fields (`args`, `result`), so
 * these are accepted too. Parts that Parlor does not record are ignored.
 */
import type { TokenCounts } from "@parlor/protocol"
import type { Json } from "../ports/json.ts"

export type StreamEvent =
  | { readonly type: "text" | "reasoning"; readonly text: string }
  /** A new step begins: what follows answers the results of the calls before. */
  | { readonly type: "step" }
  | { readonly type: "call"; readonly call: string; readonly name: string; readonly input: Json }
  | { readonly type: "result"; readonly call: string; readonly name: string; readonly output: Json }
  | { readonly type: "failed"; readonly call: string; readonly name: string; readonly detail: string }
  | {
      readonly type: "usage"
      /** The total of the stream, or the usage of one step. */
      readonly of: "step" | "total"
      readonly counts: TokenCounts
      readonly model: string | undefined
    }
  | { readonly type: "error"; readonly error: unknown }

type Fields = Readonly<Record<string, unknown>>

/** Undefined for a part that is not recorded. Throws if the value is no part at all. */
export function streamEvent(part: unknown): StreamEvent | undefined {
  if (typeof part === "string") return { type: "text", text: part }
  if (!isFields(part) || typeof part.type !== "string")
    throw new TypeError("A stream for ctx.reply consists of strings, or of objects with a type.")
  return eventOf(part.type, part)
}

function eventOf(type: string, part: Fields): StreamEvent | undefined {
  switch (type) {
    case "text-delta":
    case "text":
      return { type: "text", text: wordsOf(part) }
    case "reasoning-delta":
    case "reasoning":
      return { type: "reasoning", text: wordsOf(part) }
    case "start-step":
    case "step-start":
      return { type: "step" }
    case "tool-call":
    case "tool-input-available":
      return { type: "call", ...called(part), input: toJson(part.input ?? part.args ?? {}) }
    case "tool-result":
    case "tool-output-available":
      // A tool may report its progress before its result.
      if (part.preliminary === true) return undefined
      return { type: "result", ...called(part), output: toJson(part.output ?? part.result ?? null) }
    case "tool-error":
    case "tool-input-error":
    case "tool-output-error":
      return { type: "failed", ...called(part), detail: errorWords(part.error ?? part.errorText) }
    case "tool-output-denied":
      return { type: "failed", ...called(part), detail: "The call was denied." }
    case "finish-step":
    case "step-finish":
      return usageEvent("step", part.usage, part.response)
    case "finish":
      return usageEvent("total", part.totalUsage ?? part.usage, part.response)
    case "error":
      return { type: "error", error: part.error ?? part.errorText }
    case "abort":
      return { type: "error", error: "The stream was aborted." }
    default:
      return undefined
  }
}

export function errorWords(error: unknown): string {
  if (error instanceof Error) return error.message || error.name
  if (typeof error === "string") return error
  return isFields(error) && typeof error.message === "string" ? error.message : "It failed without a message."
}

function wordsOf(part: Fields): string {
  const text = part.text ?? part.delta ?? part.textDelta
  return typeof text === "string" ? text : ""
}

function called(part: Fields): { readonly call: string; readonly name: string } {
  return { call: String(part.toolCallId ?? ""), name: String(part.toolName ?? "tool") }
}

function usageEvent(of: "step" | "total", usage: unknown, response: unknown): StreamEvent | undefined {
  if (!isFields(usage)) return undefined
  const read = isFields(usage.inputTokenDetails) ? usage.inputTokenDetails : {}
  const written = isFields(usage.outputTokenDetails) ? usage.outputTokenDetails : {}
  const model = isFields(response) ? response.modelId : undefined
  return {
    type: "usage",
    of,
    counts: {
      inputTokens: count(usage.inputTokens ?? usage.promptTokens),
      outputTokens: count(usage.outputTokens ?? usage.completionTokens),
      reasoningTokens: count(written.reasoningTokens ?? usage.reasoningTokens),
      cachedTokens: count(read.cacheReadTokens ?? usage.cachedInputTokens),
      cacheWriteTokens: count(read.cacheWriteTokens),
    },
    model: typeof model === "string" && model !== "" ? model : undefined,
  }
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0
}

/** Tools outside of Parlor may return anything: dates, errors, cycles. */
function toJson(value: unknown): Json {
  try {
    const text = JSON.stringify(value)
    return text === undefined ? null : (JSON.parse(text) as Json)
  } catch {
    return String(value)
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
