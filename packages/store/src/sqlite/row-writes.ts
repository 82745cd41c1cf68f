/**
 * Rows, on the writer thread.
 *
 * A long value is stored separately, in `large_values`, and the row has its outline or nothing in its place. The table
 * of rows is one tree ordered by key, and SQLite reads a whole entry to compare its key: among values of a megabyte,
 * finding any row would read several of them.
 */
import type { RowChange } from "@parlor/core"
import type { Database } from "./connect.ts"

/** Longer values are stored separately. Most replies are shorter: two overflow pages at most. */
const LARGE_CHARS = 8_192

type LargeCells = readonly [number | null]

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
    const isLarge = outline !== undefined || value.length > LARGE_CHARS
    if (!isLarge && operation === "update" && this.#isUpdated(stream, change, seq)) return
    const large = isLarge ? Number(this.#addLarge.run(value).lastInsertRowid) : null
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
    if (large !== null) this.#dropLarge.run(large)
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
