/** When a conversation is compacted, and what of it stays as it is. Pure (CPT-3). */
import type { MessageRow, Usage } from "@parlor/protocol"
import { isQuestion } from "../context/question.ts"
import type { Model } from "../ports/model.ts"

/** What one answer may need, where the model does not say. */
const RESERVE_TOKENS = 20_000
/** A cautious guess, for texts no provider has counted. */
const BYTES_PER_TOKEN = 3
const KEPT_SHARE = 1 / 4

/** The provider's own count for the last step decides: nothing is guessed. */
export function isFull(model: Pick<Model, "window" | "maxOutput">, lastStep: Usage | null): boolean {
  if (lastStep === null) return false
  return lastStep.inputTokens + lastStep.outputTokens > model.window - reserveOf(model)
}

/** Never more than half the window: a small model would otherwise be full from the start. */
export function reserveOf(model: Pick<Model, "window" | "maxOutput">): number {
  return Math.min(RESERVE_TOKENS, model.maxOutput ?? RESERVE_TOKENS, model.window / 2)
}

/**
 * How many of the messages go into the archive, from the first: all but the last turns. Cut only where a turn begins, so
 * that every tool call stays with its result. What stays takes at most a quarter of the window; the turn that is running
 * stays in any case, and so does the message it answers: of several guests the first has begun a turn with it. Where the
 * beginning of the running turn is archived already there is no such cut, and none goes.
 */
export function archivedCount(
  messages: readonly MessageRow[],
  options: { readonly keepTurns: number; readonly window: number; readonly running: string | null },
): number {
  let room = options.window * KEPT_SHARE * BYTES_PER_TOKEN
  let kept = options.running === null ? messages.length : 0
  let turns = 0
  const question = messages.findLastIndex(isQuestion)
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]
    if (message === undefined) break
    const isRunning = options.running !== null && (message.turn === options.running || index >= question)
    room -= sizeOf(message)
    if (!isRunning && (turns >= options.keepTurns || room < 0)) break
    if (!beginsTurn(messages, index)) continue
    kept = index
    if (!isRunning) turns += 1
  }
  return kept
}

/**
 * For a turn so long that it fills the window alone: its own first steps go into the archive too. A step is one message
 * and holds its calls with their results, so it can be cut between any two. The newest step stays.
 */
export function archivedSteps(messages: readonly MessageRow[], window: number): number {
  let room = window * KEPT_SHARE * BYTES_PER_TOKEN
  let kept = messages.length - 1
  for (; kept > 1; kept--) {
    room -= sizeOf(messages[kept - 1] as MessageRow)
    if (room < 0) break
  }
  return Math.max(0, kept)
}

function beginsTurn(messages: readonly MessageRow[], index: number): boolean {
  const message = messages[index]
  return message?.role === "person" && (message.turn === null || message.turn !== messages[index - 1]?.turn)
}

export function sizeOf(message: MessageRow): number {
  let size = 0
  for (const part of message.parts) size += JSON.stringify(part).length
  return size
}

export function tokensIn(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN)
}
