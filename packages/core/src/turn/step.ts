/** One model call of a turn: what it says goes into the reply, what it asks for comes back (TRN-6, TRN-10). */
import { emptyUsage, type MessageRow, type TokenCounts, type ToolPart, type Usage } from "@parlor/protocol"
import type { Agent } from "../agent/agent.ts"
import { buildRequest } from "../context/context.ts"
import type { Clock } from "../ports/clock.ts"
import { type Json, type Model, type ModelEvent, ModelFault } from "../ports/model.ts"
import { orAborted } from "./aborted.ts"
import type { Reply } from "./reply.ts"

export type StepParts = {
  readonly agent: Agent
  readonly model: Model
  readonly history: readonly MessageRow[]
  readonly reply: Reply
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly stallMs: number
}

/** Resolves when the model has finished, with what it used. Its tool calls are in the reply, waiting. */
export async function callModel(parts: StepParts): Promise<Usage> {
  const { agent, model, reply, signal, clock } = parts
  const calls: ToolPart[] = []
  let usage = emptyUsage
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
    if (over.signal.aborted) return
    lastEventAt = clock.now()
    if (event.type === "text" || event.type === "reasoning") reply.text(event.type, event.text)
    else if (event.type === "tool") calls.push(waiting(event, calls.length))
    else usage = usageOf(model, event.usage)
  }
  try {
    const request = buildRequest(agent, parts.history)
    await orAborted(over.signal, model.run(request, { signal: over.signal, onEvent }))
  } finally {
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
    if (left <= 0)
      stalled(new ModelFault(`The model said nothing for ${Math.round(stallMs / 1_000)} s.`, { transient: true }))
    else cancel = clock.after(left, look)
  }
  cancel = clock.after(stallMs, look)
  return () => cancel()
}

/** Providers have been seen to give two calls one id; each needs its own. */
function waiting(event: Extract<ModelEvent, { type: "tool" }>, index: number): ToolPart {
  const parsed = parseInput(event.input)
  const call = event.call === "" ? `call_${index}` : event.call
  const base = { type: "tool", call, name: event.name, output: null } as const
  if (parsed.ok) return { ...base, input: parsed.value as ToolPart["input"], state: "waiting", error: null }
  return { ...base, input: event.input, state: "failed", error: { code: "tool.input", detail: parsed.why } }
}

function parseInput(text: string): { ok: true; value: Json } | { ok: false; why: string } {
  try {
    return { ok: true, value: JSON.parse(text || "{}") as Json }
  } catch (error) {
    return { ok: false, why: `The input is not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}

function usageOf(model: Model, counts: TokenCounts): Usage {
  const { price } = model
  if (price === undefined) return { ...counts, costMicros: 0 }
  const cached = counts.cachedTokens * (price.cached ?? price.input)
  const fresh = Math.max(0, counts.inputTokens - counts.cachedTokens) * price.input
  return { ...counts, costMicros: Math.round(cached + fresh + counts.outputTokens * price.output) }
}
