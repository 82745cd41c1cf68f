/** When a conversation is compacted, and what is kept verbatim. Pure (CPT-3). */
import type { MessageRow } from "@parlor/protocol"
import { isQuestion } from "../context/question.ts"
import { messageChars } from "../context/size.ts"
import type { Model } from "../ports/model.ts"

/** The last turns that are kept verbatim, unless the command says otherwise. */
export const KEEP_TURNS = 2
/** Room for one answer if the model does not declare its output limit. */
const RESERVE_TOKENS = 20_000
const KEPT_SHARE = 1 / 4
/** The minimum share of the window left for the answer to a prompt that could not be made smaller. */
const MIN_RESERVE = 1 / 8

/** A larger prompt is compacted before it is sent. */
export function roomyTokens(model: Pick<Model, "window" | "maxOutput">): number {
  return model.window - reserveOf(model)
}

/** A larger prompt is not sent: there would be no room for an answer. */
export function fittingTokens(model: Pick<Model, "window" | "maxOutput">): number {
  return model.window - Math.min(reserveOf(model), model.window * MIN_RESERVE)
}

/** Never more than half the window: a small model would otherwise be full from the start. */
export function reserveOf(model: Pick<Model, "window" | "maxOutput">): number {
  return Math.min(RESERVE_TOKENS, model.maxOutput ?? RESERVE_TOKENS, model.window / 2)
}

/** How many characters may be kept besides the running turn: a quarter of the window. */
export function keptChars(window: number, charsPerToken: number): number {
  return window * KEPT_SHARE * charsPerToken
}

/**
 * How many of the messages go into the archive, from the first: all but the last turns. The cut is always at the start
 * of a turn, so that every tool call stays with its result. What is kept has at most `room` characters. The running
 * turn always stays, and so does the message it answers, because with several guests the first guest's turn began with
 * it. If the beginning of the running turn is already archived there is no such cut, and nothing is archived.
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
 * and contains its calls with their results, so the cut can be between any two. The newest step stays, and earlier ones
 * as far as there is room; if all of them fit, something else fills the window.
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
