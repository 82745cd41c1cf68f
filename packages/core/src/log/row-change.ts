/** Converts a decision's change to what the store writes. */
import { type Collection, endsStreaming, type NewChange, parseRow, queuePlace, storedRow } from "@parlor/protocol"
import type { RowChange } from "../ports/store.ts"
import { outlineOf } from "../queue/waiting.ts"
import { archiveText, messageText } from "../text/searchable.ts"

export function rowChange(change: NewChange): RowChange {
  return rowUpdate(change, undefined)
}

/** `before`: the row that an update replaces, if it is known. */
export function rowUpdate(change: NewChange, before: object | undefined): RowChange {
  return withDerived(change, JSON.stringify(storedRow(change, before)))
}

function withDerived(change: NewChange, value: string): RowChange {
  const { collection, key, operation } = change
  const written = { collection, key, operation, value, ord: ordOf(change) }
  const place = placeOf(change)
  const outline = change.collection === "queue" ? outlineOf(change.row, written.value.length) : undefined
  if (place !== undefined) return { place, ...written, ...(outline === undefined ? {} : { outline }) }
  if (change.collection === "archives") return { ...foundBy(change), ...written }
  if (change.collection === "messages" && endsStreaming(change.row))
    return { dropsDeltasOf: change.row.id, ...foundBy(change), ...written }
  return written
}

/** What the store has written for a stored event of that row: its text, unchanged, with everything derived from it. */
export function restoredChange(collection: Collection, key: string, value: string): RowChange {
  const row = parseRow(collection, value)
  return withDerived({ collection, key, operation: "insert", row } as NewChange, value)
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
