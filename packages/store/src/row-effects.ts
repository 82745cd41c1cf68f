/**
 * The net effect of changes on rows, so that a row replaced within the same append is not written twice.
 *
 * Rows of `deltas` live as long as their message streams and are dropped all at once, so they are not written at all. A
 * row in the table `streaming` says where in the log a message's deltas begin, and reading folds them from there: half
 * the writes of a reply, and no rows to delete at its end.
 *
 * Applied as: drop, then the rest. Both stores and `fold` agree on the result (LOG-5).
 */
import type { RowChange, RowQuery, StoredRow } from "@parlor/core"
import type { Operation } from "@parlor/protocol"

type RowEffect = "put" | "delete" | "none"

export type RowEffects = {
  /** One per change. */
  readonly effects: readonly RowEffect[]
  /** Messages whose deltas are dropped. */
  readonly drops: readonly string[]
  /** Messages with deltas that stay, and the index of the first one. */
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

/** The rows of `deltas` that result from changes, by key. */
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

/** The key of the single row that answers a count query. */
export const COUNT_KEY = "count"

/** Whether a query is paged by `ord` or `place`. */
export function isPaged({ newest, before, oldest, first, last }: RowQuery): boolean {
  return [newest, before, oldest, first, last].some((bound) => bound !== undefined)
}

/** Selects from the folded deltas what a query asks for. */
export function deltaRows(rows: StoredRow[], query: RowQuery): StoredRow[] {
  // Deltas are not paged.
  if (isPaged(query)) return []
  if (query.key !== undefined) return rows.filter((row) => row.key === query.key)
  if (query.count) return [{ collection: "deltas", key: COUNT_KEY, ord: null, value: String(rows.length) }]
  return rows
}
