/**
 * The order in which queued messages leave: position, then time of arrival, then id (QUE-3). Written here only: stores
 * sort by the text, clients and decisions by the same text.
 */
import type { QueueRow } from "./rows/queue.ts"

type Ordered = Pick<QueueRow, "position" | "queuedAt" | "id">

/** Wide enough for every time there is. */
const TIME_DIGITS = 15

/** As text whose order, byte by byte, is that order: a space sorts before everything that a position consists of. */
export function queuePlace({ position, queuedAt, id }: Ordered): string {
  return `${position} ${String(queuedAt).padStart(TIME_DIGITS, "0")} ${id}`
}

export function inQueueOrder<T extends Ordered>(queue: Iterable<T>): readonly T[] {
  return Array.from(queue, (row) => ({ row, place: queuePlace(row) }))
    .sort((a, b) => (a.place < b.place ? -1 : a.place > b.place ? 1 : 0))
    .map(({ row }) => row)
}
