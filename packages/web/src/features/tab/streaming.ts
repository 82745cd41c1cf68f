/**
 * The text of messages that are still being said (TAB-5). More of it than the budget allows is not painted: until the
 * message is done its end is shown, and then all of it. Pure.
 */
import type { LiveState } from "@parlor/client"
import type { MessageRow } from "@parlor/protocol"
import { budgets } from "./budgets.ts"

const MOST_BYTES_PER_UNIT = 3
const CUT = "…"

export function streamingBytes(messages: readonly MessageRow[]): number {
  return messages.filter(isStreaming).reduce((sum, message) => sum + textBytes(message), 0)
}

/** The same object as long as the budget is kept, which it nearly always is. */
export function tailed(state: LiveState, most: number = budgets.streamingBytes): LiveState {
  if (!state.messages.some((message) => isStreaming(message) && isOver(message, most))) return state
  const messages = state.messages.map((row) => (isStreaming(row) && isOver(row, most) ? tailOf(row, most) : row))
  return { ...state, messages }
}

function isStreaming(message: MessageRow): boolean {
  return message.state === "streaming"
}

function isOver(message: MessageRow, most: number): boolean {
  const units = message.parts.reduce((sum, part) => sum + ("text" in part ? part.text.length : 0), 0)
  return units * MOST_BYTES_PER_UNIT > most && textBytes(message) > most
}

function textBytes(message: MessageRow): number {
  return message.parts.reduce((sum, part) => sum + ("text" in part ? bytesOf(part.text) : 0), 0)
}

/** The last parts whole, as far as they fit; of the one before them the end; of those before that nothing. */
function tailOf(message: MessageRow, most: number): MessageRow {
  let left = Math.floor(most / MOST_BYTES_PER_UNIT)
  const parts = message.parts.toReversed().map((part) => {
    if (!("text" in part)) return part
    const text = part.text.length <= left ? part.text : left === 0 ? "" : CUT + part.text.slice(-left).toWellFormed()
    left = Math.max(0, left - part.text.length)
    return { ...part, text }
  })
  return { ...message, parts: parts.toReversed() }
}

/** In UTF-8, without making a copy of it. */
export function bytesOf(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1
  }
  return bytes
}
