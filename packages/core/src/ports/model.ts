/**
 * A model, as a turn sees it: a request in, events out.
 *
 * Events arrive by callback, several per network chunk, because a promise per token would be too slow.
 */
import type { ModelPrice, ReasoningEffort, TokenCounts } from "@parlor/protocol"
import type { Json } from "./json.ts"

export type ToolSpec = {
  readonly name: string
  readonly description: string
  readonly inputSchema: Readonly<Record<string, unknown>>
}

export type ModelMessage =
  | { readonly role: "person"; readonly text: string; readonly attachments?: readonly ModelAttachment[] }
  | { readonly role: "agent"; readonly parts: readonly ModelAgentPart[] }
  | { readonly role: "tools"; readonly results: readonly ModelToolResult[] }

/** An image, a document or audio. If the provider does not support it, the adapter describes it as text (CMP-13). */
export type ModelAttachment = { readonly name: string; readonly mediaType: string; readonly data: Uint8Array }

/** `meta`: what the model's own provider sent with a block and needs back with it, such as a signature (MOD-7). */
export type ModelAgentPart =
  | { readonly type: "text"; readonly text: string; readonly meta?: Json }
  | { readonly type: "reasoning"; readonly text: string; readonly meta: Json }
  | { readonly type: "tool"; readonly call: string; readonly name: string; readonly input: Json; readonly meta?: Json }

export type ModelToolResult = {
  readonly call: string
  readonly name: string
  readonly outcome: "done" | "failed"
  readonly output: Json
}

export type ModelRequest = {
  readonly instructions: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ToolSpec[]
  readonly settings?: CallSettings
}

/** Settings of a model call (MOD-2). What a model does not support is left out. */
export type CallSettings = {
  readonly temperature?: number
  readonly maxOutputTokens?: number
  readonly reasoning?: ReasoningEffort
  /** By the provider's name in the AI SDK. They win over what Parlor sets itself. */
  readonly providerOptions?: ProviderOptions
}
type ProviderOptions = Readonly<Record<string, Readonly<Record<string, Json>>>>

export type FinishReason = "stop" | "length" | "tools" | "filter" | "other"

export type ModelEvent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  /** Ends a block of text or reasoning that the provider needs back with this. Reasoning may be without text. */
  | { readonly type: "block"; readonly of: "text" | "reasoning"; readonly meta: Json }
  | {
      readonly type: "tool"
      readonly call: string
      readonly name: string
      readonly input: string
      readonly meta?: Json
    }
  | { readonly type: "finish"; readonly reason: FinishReason; readonly usage: TokenCounts }

/** A model that people may choose for a conversation (MOD-4). */
export type ModelOffer = Pick<Model, "name" | "window" | "maxOutput" | "price"> & {
  /** What to do before it can be used, as a sentence; undefined if it is ready. */
  readonly missing?: string
  readonly load: () => Promise<Model>
}

export interface Model {
  readonly name: string
  /** The context window in tokens. */
  readonly window: number
  /** The maximum number of output tokens, if known. */
  readonly maxOutput?: number
  /** In dollars per million tokens, if known. */
  readonly price?: ModelPrice
  /** Resolves after the last event. Rejects with `ModelFault`, or with the signal's reason when it is aborted. */
  run(
    request: ModelRequest,
    options: { readonly signal: AbortSignal; readonly onEvent: (event: ModelEvent) => void },
  ): Promise<void>
}

/** `quota`: the account has nothing left to spend. `key`: its key was rejected. Both until a person changes it (MOD-14). */
export type FaultKind = "quota" | "key"

export class ModelFault extends Error {
  /** Whether a retry may help. */
  readonly transient: boolean
  readonly retryAfterMs: number | undefined
  readonly kind: FaultKind | undefined

  constructor(
    message: string,
    options: { transient: boolean; retryAfterMs?: number; kind?: FaultKind | undefined; cause?: unknown },
  ) {
    super(message, { cause: options.cause })
    this.name = "ModelFault"
    this.transient = options.transient
    this.retryAfterMs = options.retryAfterMs
    this.kind = options.kind
  }
}
