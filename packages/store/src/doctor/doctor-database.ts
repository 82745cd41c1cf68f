/**
 * A database as the doctor sees it. Both stores have the same tables; what differs in their SQL is here.
 *
 * Statements use `?1` for parameters. A check reads one snapshot; a repair is one transaction.
 */
import type { RowChange } from "@parlor/core"

export type Cell = string | number | null

export const NOT_MIGRATED =
  "This database is of an earlier version. Start the server once: it converts the database. Then check it again."

export type DoctorDatabase = {
  readonly sql: Dialect
  all<R>(text: string, values?: readonly Cell[]): Promise<R[]>
  /** Problems of the file itself; none if the store has no such check. */
  integrity(): Promise<readonly string[]>
  /** The clock by which leases expire. */
  now(): Promise<number>
  /** Whether every lease is void, because no server uses the database. */
  readonly isAlone: boolean
  snapshot<T>(work: () => Promise<T>): Promise<T>
  transaction<T>(work: () => Promise<T>): Promise<T>
  /** Within a transaction: from here on nobody else writes to this stream. */
  lockStream(stream: number): Promise<void>
  putRow(stream: number, change: RowChange, seq: number): Promise<void>
  deleteRow(stream: number, collection: string, key: string): Promise<void>
  close(): Promise<void>
}

export type Dialect = {
  /** The full value of a row `r`. */
  readonly rowValue: string
  readonly joinValues: string
  /** The field of a JSON text. */
  field(value: string, name: string): string
  /** Extra leftovers that only this store can have. */
  readonly leftovers: readonly Leftover[]
}

export type Leftover = { readonly what: string; readonly table: string; readonly where: string }
