/**
 * Any model of the AI SDK, through `doStream` of its provider interface (TRN-16, MOD-1).
 *
 * The loop below is the whole pipeline: it runs no tools, has no steps, and adds no promise per token to the stream's
 * own. Once the signal is aborted or the promise settled, no event follows.
 */
import type { LanguageModelV3FinishReason, LanguageModelV3StreamPart, LanguageModelV3Usage } from "@ai-sdk/provider"
import type { FinishReason, Model, ModelEvent, ModelRequest } from "@parlor/core"
import { cacheWrites, type TokenCounts } from "@parlor/protocol"
import { type Account, accountOf } from "../account.ts"
import { compatibleTakes, type Takes } from "../attachments.ts"
import type { ModelInfo } from "../config.ts"
import { emitEnding, inputOrEmpty, type ToolEvent } from "../ending.ts"
import { brokenStreamFault, streamFault } from "../faults.ts"
import { type Seam, seam } from "../seam.ts"
import { blocks } from "./blocks.ts"
import { callOptions } from "./call-options.ts"
import { type Dialect, dialectOf } from "./dialect.ts"
import { type Blame, faultOf } from "./fault.ts"
import { type AiSdkModel, finishOf, openStream } from "./version.ts"

export type AiSdkOptions = Omit<ModelInfo, "window"> & {
  readonly window: number
  /** Which attachments its provider accepts. Default: images. */
  readonly takes?: Takes
  /** Whose account it is, for errors; by default as the provider's name says. */
  readonly account?: Account
  /** Never part of an error. */
  readonly secrets?: readonly string[]
}

export function aiSdkModel(name: string, model: AiSdkModel, options: AiSdkOptions): Model {
  const { provider } = model
  const { takes = compatibleTakes, account = accountOf(provider), secrets = [], ...info } = options
  const source: Source = { model, takes, dialect: dialectOf(provider), blame: { account, secrets } }
  return {
    ...info,
    name,
    run: (request, { signal, onEvent }) => orAborted(signal, pump(source, request, signal, onEvent)),
  }
}

type Source = {
  readonly model: AiSdkModel
  readonly takes: Takes
  readonly dialect: Dialect
  readonly blame: Blame
}
type Reader = ReadableStreamDefaultReader<LanguageModelV3StreamPart>

async function pump(
  source: Source,
  request: ModelRequest,
  signal: AbortSignal,
  onEvent: (event: ModelEvent) => void,
): Promise<void> {
  const reader = await opened(source, request, signal)
  try {
    await forward(source, reader, signal, onEvent)
  } finally {
    reader.cancel().catch(ignore)
  }
}

async function opened(source: Source, request: ModelRequest, signal: AbortSignal): Promise<Reader> {
  signal.throwIfAborted()
  const { model, takes, dialect, blame } = source
  try {
    const options = callOptions(request, { id: model.modelId, takes, dialect })
    return (await openStream(model, { ...options, abortSignal: signal })).getReader()
  } catch (error) {
    throw faultOf(error, blame)
  }
}

async function forward(
  { dialect, blame }: Source,
  reader: Reader,
  signal: AbortSignal,
  emit: (event: ModelEvent) => void,
): Promise<void> {
  const text: Seam = seam((value) => emit({ type: "text", text: value }))
  const reasoning: Seam = seam((value) => emit({ type: "reasoning", text: value }))
  const calls: ToolEvent[] = []
  const noted = blocks(dialect)
  const endBlock = (of: "text" | "reasoning", id: string, metadata: Metadata): void => {
    const meta = noted.end(`${of} ${id}`, of, metadata)
    if (meta === undefined) return
    if (of === "text") text.end()
    else reasoning.end()
    emit({ type: "block", of, meta })
  }
  for (;;) {
    const part = await nextPart(reader, blame)
    if (signal.aborted) return
    switch (part.type) {
      case "text-start":
        noted.note(`text ${part.id}`, part.providerMetadata)
        break
      case "text-delta":
        noted.note(`text ${part.id}`, part.providerMetadata)
        text.push(part.delta)
        break
      case "text-end":
        endBlock("text", part.id, part.providerMetadata)
        break
      case "reasoning-start":
        noted.note(`reasoning ${part.id}`, part.providerMetadata)
        break
      case "reasoning-delta":
        noted.note(`reasoning ${part.id}`, part.providerMetadata)
        reasoning.push(part.delta)
        break
      case "reasoning-end":
        endBlock("reasoning", part.id, part.providerMetadata)
        break
      case "tool-call":
        if (part.providerExecuted !== true)
          calls.push(toolEvent(part, noted.end("tool", "tool", part.providerMetadata)))
        break
      case "error":
        throw faultOf(part.error, blame)
      case "finish": {
        reasoning.end()
        text.end()
        const { finishReason, usage } = finishOf(part)
        return emitEnding(emit, { calls, reason: reasonOf(finishReason), usage: usageOf(usage) })
      }
    }
  }
}

type Metadata = Extract<LanguageModelV3StreamPart, { type: "text-end" }>["providerMetadata"]

function toolEvent(
  { toolCallId, toolName, input }: Extract<LanguageModelV3StreamPart, { type: "tool-call" }>,
  meta: ToolEvent["meta"],
): ToolEvent {
  const call = { type: "tool", call: toolCallId, name: toolName, input: inputOrEmpty(input) } as const
  return meta === undefined ? call : { ...call, meta }
}

async function nextPart(reader: Reader, blame: Blame): Promise<LanguageModelV3StreamPart> {
  let read: Awaited<ReturnType<Reader["read"]>>
  try {
    read = await reader.read()
  } catch (error) {
    throw faultOf(error, blame)
  }
  if (read.done) throw brokenStreamFault()
  return read.value
}

/** Rejects immediately on abort, even if the provider ignores the signal. */
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
      // Some adapters report a finish for a stream that broke off before the provider said how it ends.
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
    ...cacheWrites(usage.inputTokens.cacheWrite ?? 0),
  }
}

function ignore(): void {}
