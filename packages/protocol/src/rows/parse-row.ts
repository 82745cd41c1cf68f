/**
 * Reads stored rows: fields that a row lacks get their defaults (LOG-2, LOG-35), so that no reader sees a row without
 * them. A complete row is returned as parsed: copying each would slow down every decision.
 */
import type { Collection, RowOf } from "../collections.ts"
import { addedFields, emptyUsage } from "./blank-rows.ts"

/** The stored text of a row. */
type Stored = { readonly value: string }

export function parseRow<C extends Collection>(collection: C, stored: string): RowOf<C> {
  return wholeRow(collection, JSON.parse(stored) as RowOf<C>)
}

export function parseRows<C extends Collection>(collection: C, rows: readonly Stored[] = []): RowOf<C>[] {
  return rows.map(({ value }) => parseRow(collection, value))
}

/** A row as it was stored or sent, with all its fields. */
export function wholeRow<C extends Collection>(collection: C, row: RowOf<C>): RowOf<C> {
  const whole = completeRow<RowOf<C>>(row, addedFields[collection])
  const usage = "usage" in whole ? whole.usage : null
  const counted = usage && completeRow(usage, emptyUsage)
  return counted === usage ? whole : { ...whole, usage: counted }
}

export function completeRow<T extends object>(row: T, added: Readonly<Partial<T>>): T {
  for (const name in added) if (!(name in row)) return Object.assign({}, added, row)
  return row
}
