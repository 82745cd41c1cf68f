/** Checks that the stored rows equal the fold of the log (LOG-5). Pure. */
import { type Collection, collections, emptyRows, fold, type TurnRow } from "@parlor/protocol"
import type { RawEvent } from "./raw-events.ts"

/** A page that ends early has at least this size. */
const PAGE_BYTES = 128 * 1024

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
    for (const [key, row] of collection === "turns" ? listed(rows, found, newest) : rows) {
      const there = found.get(`${collection} ${key}`)
      if (there === undefined) wrong.push(`[LOG-5] ${collection} ${key} is in the log and not among the rows`)
      else if (JSON.stringify(there) !== JSON.stringify(row))
        wrong.push(`[LOG-5] ${collection} ${key} is ${JSON.stringify(there)} and folds to ${JSON.stringify(row)}`)
    }
  }
  return wrong
}

/**
 * A page of turns also ends at a number of bytes: then the oldest are missing, and no other. They are in the order of
 * their start by the clock of their node, which in these tests jumps.
 */
function listed(
  turns: ReadonlyMap<string, unknown>,
  found: ReadonlyMap<string, unknown>,
  newest: number,
): readonly (readonly [string, unknown])[] {
  const all = [...turns].sort(([, a], [, b]) => startOf(a) - startOf(b))
  const first = all.findIndex(([key]) => found.has(`turns ${key}`))
  const bytes = JSON.stringify(all.slice(first)).length
  return newest < Number.POSITIVE_INFINITY && first > 0 && bytes > PAGE_BYTES ? all.slice(first) : all
}

function startOf(turn: unknown): number {
  return (turn as TurnRow).startedAt
}
