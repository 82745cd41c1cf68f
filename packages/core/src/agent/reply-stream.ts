/** What `ctx.reply` accepts besides a text: the stream of an agent that runs outside of Parlor (COD-1). */
import type { MessageRow } from "@parlor/protocol"

/** A text, a stream, or a function that starts a stream only if the reply is not in the log yet. */
export type ReplyInput = string | ReplyStream | ((options: ReplyOptions) => ReplyStream | Promise<ReplyStream>)

/** Pieces of text, or parts of a stream of the AI SDK; or the result of `streamText`, which has one. */
export type ReplyStream = AsyncIterable<ReplyPart> | { readonly fullStream: AsyncIterable<ReplyPart> }

/** `TextStreamPart` and `UIMessageChunk` of the AI SDK are such parts. Parts of other types are ignored. */
export type ReplyPart = string | { readonly type: string }

export type ReplyOptions = {
  /** Aborted when the turn is stopped. Pass it on, so that the model stops too. */
  readonly signal: AbortSignal
  /** What an earlier attempt at this reply left in the log, if a crash interrupted it. */
  readonly interrupted: readonly MessageRow[]
}
