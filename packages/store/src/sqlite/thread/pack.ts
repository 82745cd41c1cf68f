/** The sending half of `wire.ts`. The cells of an append are in the order in which `unpackBatch` reads them. */
import type { Append, RowChange } from "@parlor/core"
import type { Millis } from "@parlor/protocol"
import { movesControl } from "../../control.ts"
import { spendingCells } from "../../spending-row.ts"
import { type Cell, HAS_DROPS, HAS_OUTLINE, HAS_PLACE, HAS_TEXT, type Packed } from "./wire.ts"

export function packBatch(batch: readonly Append[]): Packed {
  const cells: Cell[] = []
  for (const append of batch) {
    const { lease, once, feed } = append
    const claim = lease?.kind === "claim" ? lease : undefined
    cells.push(append.stream, append.txid, append.at, append.expect, append.epoch, append.batch, append.active)
    cells.push(claim?.force ? "force" : lease?.kind, claim?.owner, claim?.ttlMs, once?.key, once?.hash, once?.answer)
    cells.push(feed?.stream, feed?.changes.length ?? 0, feed !== undefined && movesControl(feed.changes))
    cells.push(append.changes.length, movesControl(append.changes), append.spent?.length ?? 0)
    packChanges(cells, append.changes, append.at)
    if (feed !== undefined) packChanges(cells, feed.changes, append.at)
    for (const line of append.spent ?? []) cells.push(...spendingCells(line))
  }
  return cells
}

function packChanges(cells: Cell[], changes: readonly RowChange[], writtenAt: Millis): void {
  for (const { collection, key, operation, value, ord, place, dropsDeltasOf, text, at, outline } of changes) {
    const has =
      (place === undefined ? 0 : HAS_PLACE) +
      (dropsDeltasOf === undefined ? 0 : HAS_DROPS) +
      (text === undefined ? 0 : HAS_TEXT) +
      (outline === undefined ? 0 : HAS_OUTLINE)
    cells.push(collection, key, operation, value, ord, has === 0 ? undefined : has)
    if (place !== undefined) cells.push(place)
    if (dropsDeltasOf !== undefined) cells.push(dropsDeltasOf)
    if (text !== undefined) cells.push(text, at ?? writtenAt)
    if (outline !== undefined) cells.push(outline)
  }
}
