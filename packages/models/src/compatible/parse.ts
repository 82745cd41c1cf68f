/**
 * Parses a chat-completions stream: bytes in, model events out.
 *
 * Pure: the same bytes give the same events however they are split. Throws only `ModelFault`. Tool calls are emitted
 * together when the answer is complete, so that a stream that breaks off leaves no partial call.
 */
import type { FinishReason, ModelEvent } from "@parlor/core"
import { emptyUsage, type TokenCounts } from "@parlor/protocol"
import { type Account, accounts } from "../account.ts"
import { complaintIn } from "../complaint.ts"
import { emitEnding } from "../ending.ts"
import { brokenStreamFault, streamFault } from "../faults.ts"
import { seam } from "../seam.ts"
import { dataLines } from "./lines.ts"
import { toolCalls } from "./tool-calls.ts"
import { type ChatChunk, type ChatDelta, type ChatUsage, thoughtMeta } from "./wire.ts"

export type AnswerParser = {
  /** True once the answer is complete: the rest is ignored. */
  push(bytes: Buffer): boolean
  /** The stream ended. Throws unless the answer was complete. */
  end(): void
}

export function answerParser(
  emit: (event: ModelEvent) => void,
  options: {
    readonly newCallId: () => string
    readonly secrets?: readonly string[]
    readonly account?: Account | undefined
  },
): AnswerParser {
  const text = seam((value) => emit({ type: "text", text: value }))
  const reasoning = seam((value) => emit({ type: "reasoning", text: value }))
  const calls = toolCalls(options.newCallId)
  const lines = dataLines(takePayload)
  let reason: FinishReason | undefined
  let usage: TokenCounts = emptyUsage
  let complete = false
  let thinkingIn: "reasoning_content" | "reasoning" | undefined
  const { secrets, account = accounts.compatible } = options

  function takePayload(payload: string): void {
    if (complete) return
    if (payload === "[DONE]") finish()
    else takeChunk(parsed(payload))
  }

  function takeChunk(chunk: ChatChunk | null): void {
    if (chunk === null || typeof chunk !== "object") return
    if (chunk.error !== undefined && chunk.error !== null)
      throw streamFault(complaintIn(chunk.error), { secrets, account })
    if (chunk.object === "error") throw streamFault(complaintIn(chunk), { secrets, account })
    if (chunk.usage !== undefined && chunk.usage !== null) usage = usageIn(chunk.usage)
    const choice = chunk.choices?.[0]
    if (choice === undefined || choice === null) return
    if (choice.delta !== undefined && choice.delta !== null) takeDelta(choice.delta)
    if (typeof choice.finish_reason === "string") reason = finishReason(choice.finish_reason)
  }

  function takeDelta(delta: ChatDelta): void {
    takeThought("reasoning_content", delta.reasoning_content)
    if (typeof delta.reasoning_content !== "string") takeThought("reasoning", delta.reasoning)
    if (typeof delta.content === "string" && delta.content !== "") {
      endThought()
      text.push(delta.content)
    } else if (Array.isArray(delta.content)) takeContentParts(delta.content)
    if (typeof delta.refusal === "string") text.push(delta.refusal)
    if (Array.isArray(delta.tool_calls)) for (const call of delta.tool_calls) calls.take(call)
  }

  function takeThought(field: "reasoning_content" | "reasoning", thought: unknown): void {
    if (typeof thought !== "string" || thought === "") return
    thinkingIn = field
    reasoning.push(thought)
  }

  /** Some servers require their reasoning back in the next step (MOD-7). */
  function endThought(): void {
    if (thinkingIn === undefined) return
    reasoning.end()
    emit({ type: "block", of: "reasoning", meta: thoughtMeta(thinkingIn) })
    thinkingIn = undefined
  }

  /** Some servers send content as a list of `text` and `thinking` parts. */
  function takeContentParts(parts: readonly unknown[]): void {
    for (const part of parts) {
      if (typeof part !== "object" || part === null) continue
      const { type, text: said, thinking } = part as { readonly [field: string]: unknown }
      if (type === "text" && typeof said === "string") text.push(said)
      if (type !== "thinking") continue
      if (typeof thinking === "string") reasoning.push(thinking)
      else if (Array.isArray(thinking)) for (const thought of thinking) reasoning.push(textOf(thought))
    }
  }

  function finish(): void {
    if (reason === undefined) throw brokenStreamFault()
    complete = true
    endThought()
    reasoning.end()
    text.end()
    emitEnding(emit, { calls: calls.complete(), reason, usage })
  }

  return {
    push(bytes) {
      lines.push(bytes)
      return complete
    },
    end() {
      if (!complete) lines.end()
      if (!complete) finish()
    },
  }
}

function parsed(payload: string): ChatChunk | null {
  try {
    return JSON.parse(payload) as ChatChunk | null
  } catch {
    throw brokenStreamFault("a part of it is not valid JSON")
  }
}

function finishReason(reason: string): FinishReason {
  switch (reason) {
    case "stop":
      return "stop"
    case "length":
      return "length"
    case "tool_calls":
    case "function_call":
      return "tools"
    case "content_filter":
      return "filter"
    case "error":
      throw streamFault(undefined)
    default:
      return "other"
  }
}

function usageIn(usage: ChatUsage): TokenCounts {
  return {
    inputTokens: count(usage.prompt_tokens),
    outputTokens: count(usage.completion_tokens),
    reasoningTokens: count(usage.completion_tokens_details?.reasoning_tokens),
    cachedTokens: count(usage.prompt_tokens_details?.cached_tokens),
  }
}

function count(value: unknown): number {
  return typeof value === "number" && value >= 0 && Number.isFinite(value) ? value : 0
}

function textOf(part: unknown): string {
  const text = typeof part === "object" && part !== null ? (part as { readonly text?: unknown }).text : undefined
  return typeof text === "string" ? text : ""
}
