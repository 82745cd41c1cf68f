/**
 * Streaming text within its budget (TAB-5). Beyond the budget only the end of a streaming message is painted, and all
 * of it once it is done. Pure.
 */
import type { LiveState } from "@parlor/client"
import type { MessageRow } from "@parlor/protocol"
import { budgets } from "./budgets.ts"

const MAX_BYTES_PER_UNIT = 3
const CUT = "…"

export function streamingBytes(messages: readonly MessageRow[]): number {
  return messages.filter(isStreaming).reduce((sum, message) => sum + textBytes(message), 0)
}

/** Returns the same object while within the budget, which is nearly always. */
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
  return units * MAX_BYTES_PER_UNIT > most && textBytes(message) > most
}

function textBytes(message: MessageRow): number {
  return message.parts.reduce((sum, part) => sum + ("text" in part ? bytesOf(part.text) : 0), 0)
}

/** The last parts in full as far as they fit, the end of the part before them, and nothing earlier. */
function tailOf(message: MessageRow, most: number): MessageRow {
  let left = Math.floor(most / MAX_BYTES_PER_UNIT)
  const parts = message.parts.toReversed().map((part) => {
    if (!("text" in part)) return part
    const text = part.text.length <= left ? part.text : left === 0 ? "" : CUT + part.text.slice(-left).toWellFormed()
    left = Math.max(0, left - part.text.length)
    return { ...part, text }
  })
  return { ...message, parts: parts.toReversed() }
}

/** The UTF-8 length, without encoding. */
export function bytesOf(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1
  }
  return bytes
}
