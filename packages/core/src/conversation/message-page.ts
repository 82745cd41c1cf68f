/**
 * Messages of a conversation by page, newest first (LOG-9), limited in bytes and in number (LOG-25). Rows are read in
 * steps, and each row is converted as soon as it is there, so that no step takes long.
 */
import { assert, limits, Refusal, type StreamId } from "@parlor/protocol"
import { isOnLineDimmed, type LineEnd, readLine, type Section } from "../log/line.ts"
import type { Ports } from "../ports/ports.ts"
import type { RowQuery, RowsRead, StoredRow } from "../ports/store.ts"

/** Rows per read. */
const STEP = 100

/** A row and the section it belongs to. */
export type LineRow = { readonly row: StoredRow; readonly section: Section }

export type Page<T> = {
  /** Newest first. */
  readonly messages: readonly T[]
  /** The cursor of the next page; null at the beginning of the conversation. */
  readonly older: string | null
  readonly own: Section
  /** The topmost section that was read. */
  readonly last: Section
  readonly read: RowsRead
}

export type PageOptions<T> = {
  readonly limit: number
  readonly before?: number | undefined
  /** Skips messages that were rolled back. */
  readonly visible?: boolean
  /** Where the conversation ends; now if omitted. */
  readonly end?: LineEnd | undefined
  /** Read with the first rows, at the same moment. */
  readonly also: readonly RowQuery[]
  readonly show: (row: LineRow, read: RowsRead) => T
}

export async function readMessagePage<T>(node: Ports, stream: StreamId, options: PageOptions<T>): Promise<Page<T>> {
  const { limit, before, also, show, visible, end } = options
  const messages: T[] = []
  let bytes = 0
  let older: string | null = null
  let lastOrd = 0
  let first: { readonly own: Section; readonly read: RowsRead } | undefined
  let last: Section | undefined
  for await (const page of readLine(node.store, stream, {
    page: Math.min(limit + 1, STEP),
    before,
    also,
    end,
    ...(visible === undefined ? {} : { visible }),
  })) {
    if (page.read !== undefined) first = { own: page.section, read: page.read }
    assert(first !== undefined, "what is read with the first page comes with it")
    last = page.section
    for (const row of page.rows) {
      bytes += row.value.length
      const isFull = messages.length === limit || (messages.length > 0 && bytes > limits.pageBytes)
      if (isFull) older = String(lastOrd)
      if (isFull) break
      messages.push(show({ row, section: page.section }, first.read))
      lastOrd = row.ord ?? 0
    }
    if (older !== null) break
  }
  assert(first !== undefined && last !== undefined, "a line has at least the conversation's own section")
  return { messages, older, last, ...first }
}

/** The cursor of a page, as given in `older`. */
export function parseMessageCursor(cursor: string): number {
  const ord = Number(cursor)
  if (/^\d{1,15}$/.test(cursor) && Number.isSafeInteger(ord)) return ord
  throw new Refusal("cursor.invalid", `"${cursor}" is not a valid cursor.`)
}

export function isDimmedRow({ row, section }: LineRow): boolean {
  return isOnLineDimmed(row.ord ?? 0, section)
}
