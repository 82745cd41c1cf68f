/**
 * A model, as a turn sees it: a request in, events out.
 *
 * Events arrive by callback, several per network chunk, because a promise per token would be too slow.
 */
import type { TokenCounts } from "@parlor/protocol"
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

export type ModelAgentPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool"; readonly call: string; readonly name: string; readonly input: Json }

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
}

export type FinishReason = "stop" | "length" | "tools" | "filter" | "other"

export type ModelEvent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  | { readonly type: "tool"; readonly call: string; readonly name: string; readonly input: string }
  | { readonly type: "finish"; readonly reason: FinishReason; readonly usage: TokenCounts }

export interface Model {
  readonly name: string
  /** The context window in tokens. */
  readonly window: number
  /** The maximum number of output tokens, if known. */
  readonly maxOutput?: number
  /** In dollars per million tokens, if known. */
  readonly price?: { readonly input: number; readonly output: number; readonly cached?: number }
  /** Resolves after the last event. Rejects with `ModelFault`, or with the signal's reason when it is aborted. */
  run(
    request: ModelRequest,
    options: { readonly signal: AbortSignal; readonly onEvent: (event: ModelEvent) => void },
  ): Promise<void>
}

export class ModelFault extends Error {
  /** Whether a retry may help. */
  readonly transient: boolean
  readonly retryAfterMs: number | undefined

  constructor(message: string, options: { transient: boolean; retryAfterMs?: number; cause?: unknown }) {
    super(message, { cause: options.cause })
    this.name = "ModelFault"
    this.transient = options.transient
    this.retryAfterMs = options.retryAfterMs
  }
}
