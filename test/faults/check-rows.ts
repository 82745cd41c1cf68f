/** Checks that the stored rows equal the fold of the log (LOG-5). Pure. */
import { type Collection, collections, emptyRows, fold } from "@parlor/protocol"
import type { RawEvent } from "./raw-events.ts"

export type KeptRow = { readonly collection: string; readonly key: string; readonly value: unknown }

export function rowsOfState(state: readonly RawEvent[]): KeptRow[] {
  return state.map(({ event }) => ({ collection: event.type, key: event.key, value: event.value }))
}

/** `newest`: the number of messages and turns that were requested. */
export function checkRows(
  log: readonly RawEvent[],
  kept: readonly KeptRow[],
  newest = Number.POSITIVE_INFINITY,
): string[] {
  const wrong: string[] = []
  const folded = fold(
    emptyRows(),
    log.map((raw) => raw.event),
  )
  const found = new Map(kept.map((row) => [`${row.collection} ${row.key}`, row.value]))
  if (found.size !== kept.length) wrong.push("[LOG-5] a row is there twice")
  for (const collection of Object.keys(collections) as Collection[]) {
    const rows: ReadonlyMap<string, unknown> = folded[collection]
    const paged = collection === "messages" || collection === "turns"
    if (paged && rows.size > newest) continue
    const known = new Set(kept.filter((row) => row.collection === collection).map((row) => row.key))
    for (const key of known)
      if (!rows.has(key)) wrong.push(`[LOG-5] ${collection} ${key} is a row the log does not give`)
    for (const [key, row] of rows) {
      const there = found.get(`${collection} ${key}`)
      if (there === undefined) wrong.push(`[LOG-5] ${collection} ${key} is in the log and not among the rows`)
      else if (JSON.stringify(there) !== JSON.stringify(row))
        wrong.push(`[LOG-5] ${collection} ${key} is ${JSON.stringify(there)} and folds to ${JSON.stringify(row)}`)
    }
  }
  return wrong
}
