/**
 * Rows of a stream at one moment, and its log by page.
 *
 * All queries of a read run in one transaction; one statement reads head and events, so both are from the same moment.
 *
 * The table of rows is one tree ordered by key, and SQLite reads a whole entry to compare its key: among values of a
 * megabyte, finding any row would read several of them. So a longer value is not in it. The newest event of a row always
 * stays in the log and has the same value, so the row has nothing in its place (`large` is 0). A row with an outline has
 * that instead, and its value in `large_values`.
 */
import type { EventPage, RowChange, RowQuery, RowsRead, StoredRow, Stream } from "@parlor/core"
import type { Operation, StoredChange, TxId } from "@parlor/protocol"
import { collectionName } from "../collection-name.ts"
import { COUNT_KEY, deltaRows, foldDeltas, isPaged } from "../row-effects.ts"
import type { Database } from "./connect.ts"

const NO_LIMIT = -1
const NO_BOUND = Number.MAX_SAFE_INTEGER

/** Longer values are read from the log. Rows that change with every turn stay where they are. */
const SHARED_CHARS = 200
const UNSHARED: ReadonlySet<string> = new Set(["status", "conversations", "queue"])
/** Values of these are stored separately if they are longer: an entry with more than that takes pages of its own. */
const LARGE_CHARS = 8_192
const IN_LOG = 0
/** The value of a row that is not in it. */
const LARGE = `CASE WHEN large = ${IN_LOG}
  THEN (SELECT e.value FROM events e WHERE e.stream = rows.stream AND e.seq = rows.seq)
  ELSE (SELECT l.value FROM large_values l WHERE l.id = rows.large) END`

type Statement = ReturnType<Database["prepare"]>
type Shapes = ReturnType<typeof shapes>
type DeltaCells = readonly [string, Operation, string]
type Cells = readonly [string, number | null, string]
type EventCells = readonly [number, number | null, string, string, Operation, string, string, number]
type LargeCells = readonly [number | null]

export class RowReads {
  readonly db: Database
  readonly #stream: (id: number) => Stream | undefined
  readonly #begin
  readonly #commit
  readonly #whole: Shapes
  readonly #outlines: Shapes
  readonly #count
  readonly #deltas
  readonly #page

  constructor(db: Database, stream: (id: number) => Stream | undefined) {
    this.db = db
    this.#stream = stream
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
    this.#page = db.prepare(
      `SELECT s.head, e.seq, e.collection, e.key, e.op, e.value, e.txid, e.at
       FROM streams s LEFT JOIN events e ON e.stream = s.id AND e.seq > ?2
       WHERE s.id = ?1 ORDER BY e.seq LIMIT ?3`,
    )
    for (const statement of [this.#count, this.#deltas, this.#page]) statement.setReturnArrays(true)
  }

  read(id: number, queries: readonly RowQuery[]): RowsRead | undefined {
    this.#begin.run()
    try {
      const stream = this.#stream(id)
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

  events(id: number, after: number, bounds: { readonly count: number; readonly bytes: number }): EventPage | undefined {
    let head: number | undefined
    let bytes = 0
    const changes: StoredChange[] = []
    for (const cells of this.#page.iterate(id, after, Math.max(bounds.count, 1)) as Iterable<EventCells>) {
      const [streamHead, seq, collection, key, operation, value, txid, at] = cells
      head = streamHead
      if (seq === null) break
      bytes += Buffer.byteLength(value)
      if (changes.length > 0 && bytes > bounds.bytes) break
      changes.push({ seq, collection: collectionName(collection), key, operation, value, txid: txid as TxId, at })
    }
    return head === undefined ? undefined : { head, changes }
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

export class RowWrites {
  readonly db: Database
  readonly #insert
  readonly #replace
  readonly #update
  readonly #move
  readonly #large
  readonly #delete
  readonly #addLarge
  readonly #dropLarge
  readonly #dropAllLarge

  constructor(db: Database) {
    this.db = db
    this.#insert = db.prepare("INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING")
    this.#replace = db.prepare("INSERT OR REPLACE INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
    // In place: the indexes stay as they are.
    this.#update = db.prepare(
      `UPDATE rows SET value = ?, seq = ?
       WHERE stream = ? AND collection = ? AND key = ? AND ord IS ? AND place IS ? AND large IS NULL`,
    )
    this.#move = db.prepare(
      "UPDATE rows SET value = ?, seq = ?, ord = ? WHERE stream = ? AND collection = ? AND key = ? AND large IS NULL",
    )
    this.#large = db.prepare("SELECT large FROM rows WHERE stream = ? AND collection = ? AND key = ?")
    this.#delete = db.prepare("DELETE FROM rows WHERE stream = ? AND collection = ? AND key = ? RETURNING large")
    this.#addLarge = db.prepare("INSERT INTO large_values (value) VALUES (?)")
    this.#dropLarge = db.prepare("DELETE FROM large_values WHERE id = ?")
    this.#dropAllLarge = db.prepare(
      "DELETE FROM large_values WHERE id IN (SELECT large FROM rows WHERE stream = ? AND large IS NOT NULL)",
    )
    for (const statement of [this.#large, this.#delete]) statement.setReturnArrays(true)
  }

  put(stream: number, change: RowChange, seq: number): void {
    const { collection, key, operation, value, ord, place = null, outline } = change
    const isShared = outline === undefined && value.length > SHARED_CHARS && !UNSHARED.has(collection)
    const isLarge = isShared || outline !== undefined || value.length > LARGE_CHARS
    if (!isLarge && operation === "update" && this.#isUpdated(stream, change, seq)) return
    const large = isShared ? IN_LOG : isLarge ? Number(this.#addLarge.run(value).lastInsertRowid) : null
    const cells = [stream, collection, key, ord, place, isLarge ? (outline ?? "") : value, seq, large] as const
    if (operation === "insert" && this.#insert.run(...cells).changes > 0) return
    const before = this.#large.get(stream, collection, key) as LargeCells | undefined
    this.#replace.run(...cells)
    this.#drop(before)
  }

  delete(stream: number, { collection, key }: Pick<RowChange, "collection" | "key">): void {
    this.#drop(this.#delete.get(stream, collection, key) as LargeCells | undefined)
  }

  /** Deletes the large values of a stream whose rows are about to be deleted. */
  dropLarge(stream: number): void {
    this.#dropAllLarge.run(stream)
  }

  #drop(cells: LargeCells | undefined): void {
    const large = cells?.[0] ?? null
    if (large !== null && large !== IN_LOG) this.#dropLarge.run(large)
  }

  #isUpdated(stream: number, change: RowChange, seq: number): boolean {
    const { collection, key, value, ord, place = null } = change
    // A feed is ordered by latest activity: its rows move with every change, and have no place.
    const { changes } =
      collection === "conversations"
        ? this.#move.run(value, seq, ord, stream, collection, key)
        : this.#update.run(value, seq, stream, collection, key, ord, place)
    return changes > 0
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
