import type { RowChange } from "@parlor/core"
import { controlCollections } from "@parlor/protocol"

/** Whether these changes increment the stream's control counter: by one, however many there are. */
export function movesControl(changes: readonly RowChange[]): boolean {
  return changes.some((change) => controlCollections.has(change.collection))
}
