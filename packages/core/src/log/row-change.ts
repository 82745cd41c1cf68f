/** Converts a decision's change to what the store writes. */
import { endsStreaming, type NewChange, queuePlace } from "@parlor/protocol"
import type { RowChange } from "../ports/store.ts"
import { outlineOf } from "../queue/waiting.ts"
import { archiveText, messageText } from "../text/searchable.ts"

export function rowChange(change: NewChange): RowChange {
  const { collection, key, operation } = change
  const written = { collection, key, operation, value: JSON.stringify(change.row), ord: ordOf(change) }
  const place = placeOf(change)
  const outline = change.collection === "queue" ? outlineOf(change.row, written.value.length) : undefined
  if (place !== undefined) return { ...written, place, ...(outline === undefined ? {} : { outline }) }
  if (change.collection === "archives") return { ...written, ...foundBy(change) }
  if (change.collection === "messages" && endsStreaming(change.row))
    return { ...written, ...foundBy(change), dropsDeltasOf: change.row.id }
  return written
}

/** Messages are paged in their own order, archives with them, turns by start, a feed by latest activity. */
function ordOf(change: NewChange): number | null {
  if (change.collection === "messages") return change.row.ord
  if (change.collection === "turns") return change.row.startedAt
  if (change.collection === "archives") return change.row.fromOrd
  if (change.collection === "changes") return change.row.ord
  if (change.collection === "conversations") return change.row.activityAt
  return null
}

/** The queue is read in its own order (QUE-3). Only open asks have a position. */
function placeOf(change: NewChange): string | undefined {
  if (change.collection === "queue") return queuePlace(change.row)
  if (change.collection === "asks" && change.row.state === "open") return change.row.id
  return undefined
}

/** The text that full-text search indexes for the row, and its time. */
function foundBy(change: NewChange): Pick<RowChange, "text" | "at"> {
  if (change.operation === "delete") return {}
  if (change.collection === "archives") return { text: archiveText(change.row), at: change.row.archivedAt }
  if (change.collection !== "messages") return {}
  const text = messageText(change.row)
  return text === undefined ? {} : { text, at: change.row.at }
}
