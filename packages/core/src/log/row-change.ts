/** From a decision's change to what the store writes. */
import { endsStreaming, type NewChange } from "@parlor/protocol"
import type { RowChange } from "../ports/store.ts"

export function rowChange(change: NewChange): RowChange {
  const written = {
    collection: change.collection,
    key: change.key,
    operation: change.operation,
    value: JSON.stringify(change.row),
    ord: ordOf(change),
  }
  if (change.collection === "messages" && endsStreaming(change.row)) return { ...written, dropsDeltasOf: change.row.id }
  return written
}

/** Messages are read by page in their own order, turns by when they started, a feed by latest activity. */
function ordOf(change: NewChange): number | null {
  if (change.collection === "messages") return change.row.ord
  if (change.collection === "turns") return change.row.startedAt
  if (change.collection === "conversations") return change.row.activityAt
  return null
}
