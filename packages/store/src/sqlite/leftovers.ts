/** Deletes what removed streams left, a slice at a time (LOG-24). On the writer thread, within transactions. */
import type { RowChange } from "@parlor/core"
import {
  FREED,
  isSmall,
  LEAVE,
  LEFT,
  SLICE_BLOBS,
  SLICE_BYTES,
  SLICE_ROWS,
  STREAM_SIZE,
  type StreamSize,
} from "../leftover-row.ts"
import type { BlobWrites } from "./blobs.ts"
import type { Database } from "./connect.ts"
import type { RowWrites } from "./rows.ts"
import type { SearchWrites } from "./search.ts"

export const LEFTOVERS_STEP = `
  CREATE TABLE IF NOT EXISTS leftovers (
    stream INTEGER PRIMARY KEY,
    person TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS leftovers_person ON leftovers (person);
`

type Left = { readonly stream: number; readonly person: string }
type RowName = Pick<RowChange, "collection" | "key"> & { readonly bytes: number }

export class Leftovers {
  readonly #rows: RowWrites
  readonly #held: { readonly search: SearchWrites; readonly blobs: BlobWrites }
  readonly #size
  readonly #leave
  readonly #left
  readonly #freed
  readonly #someEvents
  readonly #event
  readonly #someRows
  readonly #rest

  constructor(db: Database, rows: RowWrites, held: { readonly search: SearchWrites; readonly blobs: BlobWrites }) {
    this.#rows = rows
    this.#held = held
    this.#size = db.prepare(STREAM_SIZE)
    this.#leave = db.prepare(LEAVE)
    this.#left = db.prepare(LEFT)
    this.#freed = db.prepare(FREED)
    this.#someEvents = db.prepare(
      `SELECT seq, octet_length(value) AS bytes FROM events WHERE stream = ? LIMIT ${SLICE_ROWS}`,
    )
    this.#event = db.prepare("DELETE FROM events WHERE stream = ? AND seq = ?")
    this.#someRows = db.prepare(
      `SELECT collection, key,
         octet_length(value) + coalesce((SELECT octet_length(l.value) FROM large_values l WHERE l.id = large), 0) AS bytes
       FROM rows WHERE stream = ? LIMIT ${SLICE_ROWS}`,
    )
    this.#rest = [
      db.prepare(
        `DELETE FROM once WHERE stream = ?1 AND key IN (SELECT key FROM once WHERE stream = ?1 LIMIT ${SLICE_ROWS})`,
      ),
      db.prepare("DELETE FROM streaming WHERE stream = ?1"),
    ]
  }

  isSmall(stream: number): boolean {
    const size = this.#size.get(stream) as StreamSize | undefined
    return size !== undefined && isSmall(size)
  }

  leave(stream: number): void {
    this.#leave.run(stream)
  }

  /** False if nothing is left. */
  free(): boolean {
    const left = this.#left.get() as Left | undefined
    if (left === undefined) return false
    if (!this.#freeSome(left)) this.#freed.run(left.stream)
    return true
  }

  #freeSome({ stream, person }: Left): boolean {
    if (this.#held.search.dropSomeTexts(stream, SLICE_ROWS)) return true
    const events = withinBytes(this.#someEvents.all(stream) as { readonly seq: number; readonly bytes: number }[])
    for (const { seq } of events) this.#event.run(stream, seq)
    if (events.length > 0) return true
    const rows = withinBytes(this.#someRows.all(stream) as RowName[])
    for (const row of rows) this.#rows.delete(stream, row)
    if (rows.length > 0) return true
    if (this.#held.blobs.releaseLeft(stream, person, SLICE_BLOBS)) return true
    return this.#rest.some((statement) => statement.run(stream).changes > 0)
  }
}

/** The first ones, up to about this many bytes; at least one. */
function withinBytes<T extends { readonly bytes: number }>(list: readonly T[]): readonly T[] {
  let sum = 0
  const end = list.findIndex(({ bytes }) => {
    sum += bytes
    return sum > SLICE_BYTES
  })
  return end < 0 ? list : list.slice(0, Math.max(1, end))
}
