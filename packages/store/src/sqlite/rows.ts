/** Rows of a stream at one moment: all queries of a read run in one transaction. */
import type { RowQuery, RowsRead, StoredRow } from "@parlor/core"
import type { Operation } from "@parlor/protocol"
import { COUNT_KEY, deltaRows, foldDeltas, isPaged } from "../row-effects.ts"
import type { Database } from "./connect.ts"
import type { StreamReads } from "./streams.ts"

const NO_LIMIT = -1
const NO_BOUND = Number.MAX_SAFE_INTEGER

/** The large value of a row (`row-writes.ts`). */
const LARGE = "(SELECT l.value FROM large_values l WHERE l.id = rows.large)"

type Statement = ReturnType<Database["prepare"]>
type Shapes = ReturnType<typeof shapes>
type DeltaCells = readonly [string, Operation, string]
type Cells = readonly [string, number | null, string]

export class RowReads {
  readonly db: Database
  readonly #streams: StreamReads
  readonly #begin
  readonly #commit
  readonly #whole: Shapes
  readonly #outlines: Shapes
  readonly #count
  readonly #deltas

  constructor(db: Database, streams: StreamReads) {
    this.db = db
    this.#streams = streams
    this.#begin = db.prepare("BEGIN")
    this.#commit = db.prepare("COMMIT")
    this.#whole = shapes(db, `CASE WHEN large IS NULL THEN value ELSE ${LARGE} END`)
    this.#outlines = shapes(db, `CASE WHEN large IS NULL OR value <> '' THEN value ELSE ${LARGE} END`)
    this.#count = db.prepare(
      `SELECT '${COUNT_KEY}', NULL, CAST(count(*) AS TEXT) FROM rows WHERE stream = ? AND collection = ?`,
    )
    this.#deltas = db.prepare(
      `SELECT e.key, e.op, e.value FROM streaming s
       JOIN events e ON e.stream = s.stream AND e.seq >= s.seq AND e.collection = 'deltas'
         AND substr(e.key, 1, length(s.message) + 1) = s.message || '/'
       WHERE s.stream = ? ORDER BY s.message, e.seq`,
    )
    for (const statement of [this.#count, this.#deltas]) statement.setReturnArrays(true)
  }

  read(id: number, queries: readonly RowQuery[]): RowsRead | undefined {
    this.#begin.run()
    try {
      const stream = this.#streams.get(id)
      const cut: number[] = []
      const list = (query: RowQuery, index: number) => this.#list(id, query, () => cut.push(index))
      const found = stream && { stream, lists: queries.map(list), cut }
      this.#commit.run()
      return found
    } catch (error) {
      // SQLite ends the transaction itself on some errors; a second error here would hide the first (LOG-21).
      if (this.db.isTransaction) this.db.exec("ROLLBACK")
      throw error
    }
  }

  #list(id: number, query: RowQuery, cut: () => void): StoredRow[] {
    const { collection, bytes = NO_BOUND } = query
    if (collection === "deltas") return this.#deltaList(id, query)
    const rows: StoredRow[] = []
    let sum = 0
    for (const [key, ord, value] of this.#cells(id, query)) {
      sum += bytes === NO_BOUND ? 0 : Buffer.byteLength(value)
      if (rows.length > 0 && sum > bytes) {
        cut()
        break
      }
      rows.push({ collection, key, ord, value })
    }
    return rows
  }

  #deltaList(id: number, query: RowQuery): StoredRow[] {
    const cells = this.#deltas.all(id) as DeltaCells[]
    const rows = foldDeltas(cells.map(([key, operation, value]) => ({ key, operation, value })))
    return deltaRows(rows, query)
  }

  /** Step by step if `bytes` may end it early, so that no more than that is read. */
  #cells(id: number, query: RowQuery): Iterable<Cells> {
    const { collection, key, newest, before, beforeKey, oldest, after, first, last, count, afterKey, bytes } = query
    const by = query.outlines ? this.#outlines : this.#whole
    const run = (statement: Statement, ...values: (string | number)[]) =>
      (bytes === undefined
        ? statement.all(id, collection, ...values)
        : statement.iterate(id, collection, ...values)) as Iterable<Cells>
    if (key !== undefined) return run(by.key, key)
    if (count) return run(this.#count)
    if (first !== undefined) return run(by.first, first)
    if (last !== undefined) return run(by.last, last)
    if (!isPaged(query)) return afterKey === undefined ? run(by.all) : run(by.above, afterKey)
    if (oldest !== undefined) return run(by.oldest, after ?? -NO_BOUND, oldest)
    return run(by.newest, before ?? NO_BOUND, beforeKey ?? "", newest ?? NO_LIMIT)
  }
}

/** One statement for each shape of query; `value` is the selected expression. */
function shapes(db: Database, value: string) {
  const rows = (where: string) => {
    const statement = db.prepare(`SELECT key, ord, ${value} FROM rows WHERE stream = ? AND collection = ? ${where}`)
    statement.setReturnArrays(true)
    return statement
  }
  return {
    all: rows("ORDER BY key"),
    above: rows("AND key > ? ORDER BY key"),
    key: rows("AND key = ?"),
    newest: rows("AND ord IS NOT NULL AND (ord, key) < (?, ?) ORDER BY ord DESC, key DESC LIMIT ?"),
    oldest: rows("AND ord IS NOT NULL AND ord > ? ORDER BY ord, key LIMIT ?"),
    first: rows("AND place IS NOT NULL ORDER BY place, key LIMIT ?"),
    last: rows("AND place IS NOT NULL ORDER BY place DESC, key DESC LIMIT ?"),
  }
}
