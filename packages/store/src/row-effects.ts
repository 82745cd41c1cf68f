/**
 * What a list of changes leaves in the rows, so that a row which the same append replaces is not written twice.
 *
 * Rows of `deltas` live as long as their message streams and are dropped all at once, so they are not written at all.
 * A line in the table `streaming` says from where on the log holds the deltas of a message, and reading folds them from
 * there: half the writes of a reply, and no rows to delete at its end.
 *
 * Carried out as: drop, then the rest. Both stores and `fold` agree on the result (LOG-5).
 */
import type { RowChange, RowQuery, StoredRow } from "@parlor/core"
import type { Operation } from "@parlor/protocol"

type RowEffect = "put" | "delete" | "none"

export type RowEffects = {
  /** One per change. */
  readonly effects: readonly RowEffect[]
  /** Messages whose deltas go. */
  readonly drops: readonly string[]
  /** Messages with deltas that stay, and the first change that is one. */
  readonly streaming: ReadonlyMap<string, number>
}

export type DeltaChange = { readonly key: string; readonly operation: Operation; readonly value: string }

export function rowEffects(changes: readonly RowChange[]): RowEffects {
  const effects: RowEffect[] = new Array(changes.length)
  const drops: string[] = []
  const streaming = new Map<string, number>()
  const decided = new Set<string>()
  for (let i = changes.length - 1; i >= 0; i--) {
    const change = changes[i]
    if (change === undefined) continue
    effects[i] = "none"
    if (change.collection === "deltas") {
      const message = messageOf(change.key)
      if (!drops.includes(message)) streaming.set(message, i)
      continue
    }
    const name = `${change.collection}\n${change.key}`
    if (!decided.has(name)) effects[i] = change.operation === "delete" ? "delete" : "put"
    decided.add(name)
    if (change.dropsDeltasOf !== undefined) drops.push(change.dropsDeltasOf)
  }
  return { effects, drops, streaming }
}

/** The rows of `deltas` that changes of it leave, by key. */
export function foldDeltas(changes: Iterable<DeltaChange>): StoredRow[] {
  const rows = new Map<string, StoredRow>()
  for (const { key, operation, value } of changes) {
    if (operation === "delete") rows.delete(key)
    else rows.set(key, { collection: "deltas", key, ord: null, value })
  }
  return [...rows.values()]
}

function messageOf(key: string): string {
  const end = key.indexOf("/")
  if (end < 0) throw new Error(`a delta's key begins with its message and a slash, not "${key}"`)
  return key.slice(0, end)
}

/** The key of the one row that answers a query for the number of rows. */
export const COUNT_KEY = "count"

/** Whether a query goes by `ord` or `place`, a page at a time. */
export function isPaged({ newest, before, oldest, first, last }: RowQuery): boolean {
  return [newest, before, oldest, first, last].some((bound) => bound !== undefined)
}

/** What a query asks for of the folded deltas. */
export function deltaRows(rows: StoredRow[], query: RowQuery): StoredRow[] {
  // Deltas are in no order that pages could follow.
  if (isPaged(query)) return []
  if (query.key !== undefined) return rows.filter((row) => row.key === query.key)
  if (query.count) return [{ collection: "deltas", key: COUNT_KEY, ord: null, value: String(rows.length) }]
  return rows
}
