/** When a conversation is compacted, and what of it stays as it is. Pure (CPT-3). */
import type { MessageRow } from "@parlor/protocol"
import { isQuestion } from "../context/question.ts"
import { messageChars } from "../context/size.ts"
import type { Model } from "../ports/model.ts"

/** The last turns that stay as they are, unless a command says otherwise. */
export const KEEP_TURNS = 2
/** What one answer may need, where the model does not say. */
const RESERVE_TOKENS = 20_000
const KEPT_SHARE = 1 / 4
/** Of the window, at least, for an answer to a prompt that could not be made smaller. */
const LEAST_RESERVE = 1 / 8

/** A larger prompt is compacted before it is sent. */
export function roomyTokens(model: Pick<Model, "window" | "maxOutput">): number {
  return model.window - reserveOf(model)
}

/** A larger prompt is not sent as it is: there would be no room for an answer. */
export function fittingTokens(model: Pick<Model, "window" | "maxOutput">): number {
  return model.window - Math.min(reserveOf(model), model.window * LEAST_RESERVE)
}

/** Never more than half the window: a small model would otherwise be full from the start. */
export function reserveOf(model: Pick<Model, "window" | "maxOutput">): number {
  return Math.min(RESERVE_TOKENS, model.maxOutput ?? RESERVE_TOKENS, model.window / 2)
}

/** How many characters may stay as they are beside the running turn: a quarter of the window. */
export function keptChars(window: number, charsPerToken: number): number {
  return window * KEPT_SHARE * charsPerToken
}

/**
 * How many of the messages go into the archive, from the first: all but the last turns. Cut only where a turn begins, so
 * that every tool call stays with its result. What stays has at most `room` characters; the turn that is running
 * stays in any case, and so does the message it answers: of several guests the first has begun a turn with it. Where the
 * beginning of the running turn is archived already there is no such cut, and none goes.
 */
export function archivedCount(
  messages: readonly MessageRow[],
  options: { readonly keepTurns: number; readonly room: number; readonly running: string | null },
): number {
  let { room } = options
  let kept = options.running === null ? messages.length : 0
  let turns = 0
  const question = messages.findLastIndex(isQuestion)
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]
    if (message === undefined) break
    const isRunning = options.running !== null && (message.turn === options.running || index >= question)
    room -= messageChars(message)
    if (!isRunning && (turns >= options.keepTurns || room < 0)) break
    if (!beginsTurn(messages, index)) continue
    kept = index
    if (!isRunning) turns += 1
  }
  return kept
}

/**
 * For a turn so long that it fills the window alone: its own first steps go into the archive too. A step is one message
 * and holds its calls with their results, so it can be cut between any two. The newest step stays,
 * and those before it as far as they have room: where all of them do, it is not they who fill the window.
 */
export function archivedSteps(messages: readonly MessageRow[], room: number): number {
  let left = room
  let kept = messages.length - 1
  for (; kept > 0; kept--) {
    left -= messageChars(messages[kept - 1] as MessageRow)
    if (left < 0) break
  }
  return Math.max(0, kept)
}

function beginsTurn(messages: readonly MessageRow[], index: number): boolean {
  const message = messages[index]
  return message?.role === "person" && (message.turn === null || message.turn !== messages[index - 1]?.turn)
}
