/** One model call of a turn: what it says goes into the reply, what it asks for comes back (TRN-6, TRN-10). */
import { emptyUsage, type MessageRow, type TokenCounts, type ToolPart, type Usage } from "@parlor/protocol"
import type { Agent } from "../agent/agent.ts"
import { buildRequest } from "../context/context.ts"
import type { Clock } from "../ports/clock.ts"
import { type Model, type ModelEvent, ModelFault } from "../ports/model.ts"
import { orAborted } from "./aborted.ts"
import type { Reply } from "./reply.ts"
import { waitingCall } from "./tool-call.ts"

/** Text, reasoning and the inputs of tools together. */
const MAX_CALLS = 128

export type StepParts = {
  readonly agent: Agent
  readonly model: Model
  readonly history: readonly MessageRow[]
  readonly reply: Reply
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly stallMs: number
  readonly maxAnswerChars: number
}

/** Resolves when the model has finished, with what it used. Its tool calls are in the reply, waiting. */
export async function callModel(parts: StepParts): Promise<Usage> {
  const { agent, model, reply, signal, clock } = parts
  // A stop that came between two steps: nobody would tell the model of it any more.
  signal.throwIfAborted()
  const calls: ToolPart[] = []
  const taken = callIds(parts.history)
  let usage = emptyUsage
  let chars = 0
  let isOpen = true
  let lastEventAt = clock.now()
  const over = new AbortController()
  const stop = () => over.abort(signal.reason)
  signal.addEventListener("abort", stop, { once: true })
  const cancelWatch = watch(
    parts,
    () => lastEventAt,
    (fault) => over.abort(fault),
  )
  const onEvent = (event: ModelEvent): void => {
    if (!isOpen || over.signal.aborted) return
    const length = lengthOf(event)
    if (length > 0) lastEventAt = clock.now()
    chars += length
    if (chars > parts.maxAnswerChars) over.abort(tooMuch(`is longer than ${parts.maxAnswerChars} characters`))
    else if (event.type === "text" || event.type === "reasoning") reply.text(event.type, event.text)
    else if (event.type === "finish") {
      usage = usageOf(model, event.usage)
      if (calls.length === 0) reply.complete()
    } else if (calls.length >= MAX_CALLS) over.abort(tooMuch(`calls more than ${MAX_CALLS} tools at once`))
    else {
      const call = waitingCall(event, taken)
      taken.add(call.call)
      calls.push(call)
    }
  }
  try {
    const request = buildRequest(agent, parts.history)
    await orAborted(over.signal, model.run(request, { signal: over.signal, onEvent }))
  } finally {
    isOpen = false
    cancelWatch()
    signal.removeEventListener("abort", stop)
  }
  for (const call of calls) reply.tool(call)
  if (!reply.started) throw new ModelFault("The model gave an empty answer.", { transient: true })
  return usage
}

/** A model that says nothing for too long has stalled. Looks now and then instead of setting a timer for each token. */
function watch(parts: StepParts, lastEventAt: () => number, stalled: (fault: ModelFault) => void): () => void {
  const { clock, stallMs } = parts
  let cancel = () => {}
  const look = () => {
    const left = lastEventAt() + stallMs - clock.now()
    if (left <= 0) stalled(new ModelFault(`The model said nothing for ${stallMs / 1_000} s.`, { transient: true }))
    else cancel = clock.after(left, look)
  }
  cancel = clock.after(stallMs, look)
  return () => cancel()
}

function callIds(history: readonly MessageRow[]): Set<string> {
  return new Set(history.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool" ? [part.call] : []))))
}

/** What is empty says nothing: it neither fills the answer nor shows that the model is alive. */
function lengthOf(event: ModelEvent): number {
  if (event.type === "finish") return 0
  return event.type === "tool" ? event.call.length + event.name.length + event.input.length : event.text.length
}

function tooMuch(what: string): ModelFault {
  return new ModelFault(`The model's answer ${what} and was broken off.`, { transient: false })
}

function usageOf(model: Model, reported: TokenCounts): Usage {
  const counts = {
    inputTokens: count(reported.inputTokens),
    outputTokens: count(reported.outputTokens),
    reasoningTokens: count(reported.reasoningTokens),
    cachedTokens: count(reported.cachedTokens),
  }
  const { price } = model
  if (price === undefined) return { ...counts, costMicros: 0 }
  const cached = Math.min(counts.cachedTokens, counts.inputTokens)
  const input = cached * (price.cached ?? price.input) + (counts.inputTokens - cached) * price.input
  return { ...counts, costMicros: Math.round(input + counts.outputTokens * price.output) }
}

function count(value: number): number {
  return value > 0 ? Math.min(value, Number.MAX_SAFE_INTEGER) : 0
}
