/**
 * The order of queued messages: position, then time of arrival, then id (QUE-3). Defined only here: stores, clients
 * and decisions sort by the same text.
 */
import type { QueueRow } from "./rows/queue.ts"

type Ordered = Pick<QueueRow, "position" | "queuedAt" | "id">

/** Wide enough for every timestamp. */
const TIME_DIGITS = 15

/** A sort key whose byte order is that order: a space sorts before every character of a position. */
export function queuePlace({ position, queuedAt, id }: Ordered): string {
  return `${position} ${String(queuedAt).padStart(TIME_DIGITS, "0")} ${id}`
}

export function inQueueOrder<T extends Ordered>(queue: Iterable<T>): readonly T[] {
  return Array.from(queue, (row) => ({ row, place: queuePlace(row) }))
    .sort((a, b) => (a.place < b.place ? -1 : a.place > b.place ? 1 : 0))
    .map(({ row }) => row)
}
