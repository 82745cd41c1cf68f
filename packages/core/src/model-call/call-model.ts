/** One model call of a turn: its output goes into the reply, and its tool calls are returned (TRN-6, TRN-10). */
import { emptyUsage, type MessageRow, type ToolPart, type Usage } from "@parlor/protocol"
import type { Attached } from "../composer/lower.ts"
import type { Brief } from "../context/brief.ts"
import { buildRequest } from "../context/context.ts"
import type { ReturnTo } from "../context/returned.ts"
import type { Noting } from "../inspector/noting.ts"
import type { Clock } from "../ports/clock.ts"
import type { Json } from "../ports/json.ts"
import { type Model, type ModelEvent, ModelFault } from "../ports/model.ts"
import { usageOf } from "../usage/usage-of.ts"
import type { Permit } from "./permit.ts"
import type { Reply } from "./reply.ts"
import { watchStall } from "./stall.ts"
import { waitingCall } from "./tool-call.ts"

/** Text, reasoning and tool inputs together. */
const MAX_CALLS = 128

export type ModelCallInput = {
  readonly permit: Permit
  readonly brief: Brief
  /** The conversation's own agent. */
  readonly host: string
  readonly model: Model
  readonly history: readonly MessageRow[]
  readonly attached: Attached
  /** Undefined: no reasoning is returned. */
  readonly returnTo: ReturnTo | undefined
  readonly reply: Reply
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly stallMs: number
  readonly maxAnswerChars: number
  readonly noting: Noting
}

/** Resolves with the usage when the model has finished. Its tool calls are in the reply, pending. */
export async function callModel(parts: ModelCallInput): Promise<Usage> {
  const { model, reply, signal, clock } = parts
  // A stop between two steps: the model would not be told of it otherwise.
  signal.throwIfAborted()
  const calls: { readonly call: ToolPart; readonly meta: Json | undefined }[] = []
  const taken = callIds(parts.history)
  let usage = emptyUsage
  let chars = 0
  let isOpen = true
  let lastEventAt = clock.now()
  const over = new AbortController()
  const stop = () => over.abort(signal.reason)
  signal.addEventListener("abort", stop, { once: true })
  const cancelWatch = watchStall(
    clock,
    parts.stallMs,
    () => lastEventAt,
    (fault) => over.abort(fault),
  )
  const onEvent = (event: ModelEvent): void => {
    if (!isOpen || over.signal.aborted) return
    const length = lengthOf(event)
    if (length > 0) {
      lastEventAt = clock.now()
      parts.noting.heard()
    }
    chars += length
    if (chars > parts.maxAnswerChars) over.abort(tooMuch(`is longer than ${parts.maxAnswerChars} characters`))
    else if (event.type === "text" || event.type === "reasoning") reply.text(event.type, event.text)
    else if (event.type === "block") reply.block(event.of, event.meta)
    else if (event.type === "finish") {
      usage = usageOf(model, event.usage)
      reply.usage = usage
      if (calls.length === 0) reply.complete()
    }
    // A guest has no tools: its calls are ignored and are not part of its reply (GST-1).
    else if (parts.brief.author !== "") return
    else if (calls.length >= MAX_CALLS) over.abort(tooMuch(`calls more than ${MAX_CALLS} tools at once`))
    else {
      const call = waitingCall(event, taken)
      taken.add(call.call)
      calls.push({ call, meta: event.meta })
    }
  }
  try {
    const request = buildRequest({
      host: parts.host,
      messages: parts.history,
      attached: parts.attached,
      ...parts.brief,
      ...(parts.returnTo === undefined ? {} : { returnTo: parts.returnTo }),
    })
    parts.noting.sent(request, parts.returnTo !== undefined)
    const { modelSettings: settings } = parts.brief.speaker
    await parts.permit.run(model, settings === undefined ? request : Object.assign({}, request, { settings }), {
      signal: over.signal,
      onEvent,
    })
  } finally {
    isOpen = false
    cancelWatch()
    signal.removeEventListener("abort", stop)
  }
  reply.endText()
  for (const { call, meta } of calls) reply.tool(call, meta)
  if (!reply.started) throw new ModelFault("The model returned an empty reply.", { transient: true })
  return usage
}

function callIds(history: readonly MessageRow[]): Set<string> {
  const ids = new Set<string>()
  for (const { parts } of history) for (const part of parts) if (part.type === "tool") ids.add(part.call)
  return ids
}

/** An empty event neither fills the reply nor shows that the model is alive. */
function lengthOf(event: ModelEvent): number {
  if (event.type === "finish") return 0
  if (event.type === "block") return 1
  return event.type === "tool" ? event.call.length + event.name.length + event.input.length : event.text.length
}

function tooMuch(what: string): ModelFault {
  return new ModelFault(`The model's reply ${what} and was stopped.`, { transient: false })
}
