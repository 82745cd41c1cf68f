/**
 * Estimates a message's height from its row. Pure.
 *
 * It is measured once visible; until then the scroll bar depends on this estimate, and a good one avoids jumps. Only
 * the beginning of a long text is examined, so that it stays cheap for ten thousand messages.
 */
import { type MessageRow, type Part, unreachable } from "@parlor/protocol"

const LINE_PX = 24
const CODE_LINE_PX = 21
const PARAGRAPH_PX = 10
const PART_GAP_PX = 12
const CHAR_PX = 7.1
const NAMED_PX = 72
const UNNAMED_PX = 12
/** The line of actions below a message. */
const ACTS_PX = 30
const BUBBLE_PX = 16
const FOLD_PX = 28
const TOOL_PX = 40
const NOTICE_PX = 42
const PICTURE_PX = 208
/** A long text of a person is collapsed to this. */
const LONG_PX = 284
const OWN_WIDTH = 0.85
const MAX_LOOKED_AT = 4_000

export type Measure = { readonly widthPx: number; readonly named: boolean }

export function probableHeight(message: Pick<MessageRow, "role" | "parts">, { widthPx, named }: Measure): number {
  const isMine = message.role === "person"
  const width = isMine ? widthPx * OWN_WIDTH - 32 : widthPx
  const perLine = Math.max(16, Math.floor(width / CHAR_PX))
  const most = isMine ? LONG_PX : Number.MAX_SAFE_INTEGER
  const parts = message.parts.reduce(
    (sum, part, index) => sum + Math.min(most, partPx(part, perLine)) + (index > 0 ? PART_GAP_PX : 0),
    0,
  )
  const head = isMine ? UNNAMED_PX + BUBBLE_PX + ACTS_PX : named ? NAMED_PX : UNNAMED_PX
  return Math.round(head + Math.max(LINE_PX, parts))
}

function partPx(part: Part, perLine: number): number {
  switch (part.type) {
    case "text":
      return textPx(part.text, perLine)
    case "reasoning":
    case "context":
      return FOLD_PX
    case "tool":
      return TOOL_PX
    case "attachment":
      return part.mediaType.startsWith("image/") ? NOTICE_PX + PICTURE_PX : NOTICE_PX
    case "notice":
      return NOTICE_PX
    default:
      return unreachable(part)
  }
}

export function textPx(text: string, perLine: number): number {
  const looked = Math.min(text.length, MAX_LOOKED_AT)
  let px = 0
  let isCode = false
  let start = 0
  while (start < looked) {
    const found = text.indexOf("\n", start)
    const end = found === -1 || found > looked ? looked : found
    if (text.startsWith("```", start)) {
      isCode = !isCode
      px += isCode ? 44 : 12
    } else if (isCode) px += CODE_LINE_PX
    else px += end === start ? PARAGRAPH_PX : Math.ceil((end - start) / perLine) * LINE_PX
    start = end + 1
  }
  return looked < text.length ? (px * text.length) / looked : px
}
