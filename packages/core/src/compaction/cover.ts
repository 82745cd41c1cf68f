/**
 * The messages of a conversation between two numbers, oldest first, in ranges that one compaction can summarize.
 *
 * For conversations with more unarchived messages than a turn reads: imported ones, those of an agent whose model now
 * has a smaller window, those whose archive was undone. At most one range is in memory at a time.
 */
import { type MessageRow, parseRow, type StreamId } from "@parlor/protocol"
import { messageChars } from "../context/size.ts"
import { readLineForward } from "../log/line.ts"
import type { RowReader } from "../ports/store.ts"

const PAGE = 20
/** Pieces per archive: bounds what a crash costs and how long a chapter gets. */
const PIECES = 8

export async function* stretchesBefore(
  store: RowReader,
  stream: StreamId,
  bounds: {
    readonly after: number
    readonly before: number
    /** The size of one piece. */
    readonly chars: number
  },
): AsyncGenerator<readonly MessageRow[]> {
  let stretch: MessageRow[] = []
  let chars = 0
  for await (const rows of readLineForward(store, stream, { ...bounds, page: PAGE }))
    for (const row of rows) {
      const message = parseRow("messages", row.value)
      stretch.push(message)
      chars += messageChars(message)
      if (chars < bounds.chars * PIECES) continue
      yield stretch
      stretch = []
      chars = 0
    }
  if (stretch.length > 0) yield stretch
}
