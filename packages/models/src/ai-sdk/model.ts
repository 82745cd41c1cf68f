/**
 * Any model of the AI SDK, through `doStream` of its provider interface (TRN-16).
 *
 * The loop below is the whole pipeline: no step logic, no tool running, no promise per token beyond the stream's own.
 * Once the signal is aborted or the promise settled, no event follows.
 */
import type {
  LanguageModelV3,
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
} from "@ai-sdk/provider"
import type { FinishReason, Model, ModelEvent, ModelRequest } from "@parlor/core"
import type { TokenCounts } from "@parlor/protocol"
import { compatibleTakes, type Takes } from "../attachments.ts"
import { emitEnding, inputOrEmpty, type ToolEvent } from "../ending.ts"
import { brokenStreamFault, streamFault } from "../faults.ts"
import { type Seam, seam } from "../seam.ts"
import { faultOf } from "./fault.ts"
import { promptOf, toolsOf } from "./prompt.ts"

export type AiSdkOptions = {
  readonly window: number
  /** Which attachments its provider takes; images, when not said. */
  readonly takes?: Takes
}

export function aiSdkModel(name: string, model: LanguageModelV3, options: AiSdkOptions): Model {
  const source: Source = { model, takes: options.takes ?? compatibleTakes }
  return {
    name,
    window: options.window,
    run: (request, { signal, onEvent }) => orAborted(signal, pump(source, request, signal, onEvent)),
  }
}

type Source = { readonly model: LanguageModelV3; readonly takes: Takes }
type Reader = ReadableStreamDefaultReader<LanguageModelV3StreamPart>

async function pump(
  source: Source,
  request: ModelRequest,
  signal: AbortSignal,
  onEvent: (event: ModelEvent) => void,
): Promise<void> {
  const reader = await opened(source, request, signal)
  try {
    await forward(reader, signal, onEvent)
  } finally {
    reader.cancel().catch(ignore)
  }
}

async function opened({ model, takes }: Source, request: ModelRequest, signal: AbortSignal): Promise<Reader> {
  signal.throwIfAborted()
  try {
    const { stream } = await model.doStream({
      prompt: promptOf(request, takes),
      ...(request.tools.length === 0 ? {} : { tools: toolsOf(request.tools), toolChoice: { type: "auto" as const } }),
      abortSignal: signal,
    })
    return stream.getReader()
  } catch (error) {
    throw faultOf(error)
  }
}

async function forward(reader: Reader, signal: AbortSignal, emit: (event: ModelEvent) => void): Promise<void> {
  const text: Seam = seam((value) => emit({ type: "text", text: value }))
  const reasoning: Seam = seam((value) => emit({ type: "reasoning", text: value }))
  const calls: ToolEvent[] = []
  for (;;) {
    const part = await nextPart(reader)
    if (signal.aborted) return
    switch (part.type) {
      case "text-delta":
        text.push(part.delta)
        break
      case "reasoning-delta":
        reasoning.push(part.delta)
        break
      case "tool-call":
        if (part.providerExecuted !== true)
          calls.push({ type: "tool", call: part.toolCallId, name: part.toolName, input: inputOrEmpty(part.input) })
        break
      case "error":
        throw faultOf(part.error)
      case "finish":
        reasoning.end()
        text.end()
        return emitEnding(emit, { calls, reason: reasonOf(part.finishReason), usage: usageOf(part.usage) })
    }
  }
}

async function nextPart(reader: Reader): Promise<LanguageModelV3StreamPart> {
  let read: Awaited<ReturnType<Reader["read"]>>
  try {
    read = await reader.read()
  } catch (error) {
    throw faultOf(error)
  }
  if (read.done) throw brokenStreamFault()
  return read.value
}

/** Rejects in the moment of the abort, whether or not the provider listens to the signal. */
function orAborted(signal: AbortSignal, running: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    signal.addEventListener("abort", abort, { once: true })
    running
      .then(resolve, (error: unknown) => reject(signal.aborted ? signal.reason : error))
      .finally(() => signal.removeEventListener("abort", abort))
  })
}

function reasonOf(reason: LanguageModelV3FinishReason): FinishReason {
  switch (reason.unified) {
    case "stop":
    case "length":
      return reason.unified
    case "other":
      // Some providers' adapters finish for a stream that broke off before it said how it ends.
      if (reason.raw === undefined) throw brokenStreamFault()
      return "other"
    case "tool-calls":
      return "tools"
    case "content-filter":
      return "filter"
    case "error":
      throw streamFault(undefined)
  }
}

function usageOf(usage: LanguageModelV3Usage): TokenCounts {
  return {
    inputTokens: usage.inputTokens.total ?? 0,
    outputTokens: usage.outputTokens.total ?? 0,
    reasoningTokens: usage.outputTokens.reasoning ?? 0,
    cachedTokens: usage.inputTokens.cacheRead ?? 0,
  }
}

function ignore(): void {}
