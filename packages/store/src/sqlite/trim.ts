/** Drops events that nobody needs anymore, a slice at a time (LOG-36 to LOG-38). On the writer thread. */
import type { Trimmed } from "@parlor/core"
import { EVENT_OVERHEAD } from "../stored-row.ts"
import {
  TRIM_EVENTS,
  TRIM_NEXT,
  TRIM_STREAMING,
  TRIM_TOLD,
  type TrimEvent,
  type TrimLine,
  type TrimSlice,
  trimEnd,
  trimRound,
  trimSlice,
} from "../trim.ts"
import { addColumn, type Database, transaction, unhurried } from "./connect.ts"
import type { StoredWrites } from "./usage.ts"

/** A migration step. Logs from before are trimmed too. */
export function trimStep(db: Database): void {
  for (const name of ["trimmed", "trim_to", "trim_at", "kept"])
    addColumn(db, "streams", `${name} INTEGER NOT NULL DEFAULT 0`)
  db.exec(`
    CREATE INDEX IF NOT EXISTS streams_trim ON streams (trim_at) WHERE trim_at > 0;
    UPDATE streams SET trim_to = head, trim_at = ${Date.now()} WHERE head > 0;
  `)
}

export class Trims {
  readonly db: Database
  readonly #stored: StoredWrites
  readonly #next
  readonly #streaming
  readonly #told
  readonly #events
  readonly #drop
  readonly #note
  readonly #end

  constructor(db: Database, stored: StoredWrites) {
    this.db = db
    this.#stored = stored
    this.#next = db.prepare(TRIM_NEXT)
    this.#streaming = db.prepare(TRIM_STREAMING)
    this.#told = db.prepare(TRIM_TOLD.replace("{upTo}", "json_extract(value, '$.upTo')"))
    this.#events = db.prepare(TRIM_EVENTS.replace("{state}", "json_extract(e.value, '$.state')"))
    this.#drop = db.prepare("DELETE FROM events WHERE stream = ? AND seq IN (SELECT value FROM json_each(?))")
    this.#note = db.prepare("UPDATE streams SET bytes = bytes - ?, trimmed = ?, kept = ? WHERE id = ?")
    this.#end = db.prepare("UPDATE streams SET trimmed = ?, kept = ?, trim_to = ?, trim_at = ? WHERE id = ?")
  }

  trim({ graceMs }: { readonly graceMs: number }): Trimmed {
    const now = Date.now()
    const line = this.#next.get(now - graceMs) as TrimLine | undefined
    if (line === undefined) return { events: 0, bytes: 0, more: false }
    const { first } = this.#streaming.get(line.id) as { readonly first: number | null }
    const end = trimEnd(line, first)
    const events = this.#events.all(line.id, line.trimmed, end) as TrimEvent[]
    const slice = trimSlice(line, events, { end, told: this.#toldTo(line), now })
    unhurried(this.db, () => transaction(this.db, () => this.#write(line, slice, now)))
    return { events: slice.drop.length, bytes: slice.bytes, more: true }
  }

  #toldTo({ kind, person }: TrimLine): number | null {
    return kind === "feed" ? (this.#told.get(person) as { readonly told: number | null }).told : null
  }

  #write(line: TrimLine, slice: TrimSlice, now: number): void {
    const { drop, trimmed, kept } = slice
    if (drop.length > 0) this.#drop.run(line.id, JSON.stringify(drop))
    const counted = line.kind === "feed" ? 0 : slice.bytes + drop.length * EVENT_OVERHEAD
    if (counted > 0) this.#stored.add(line.person, 0, -counted)
    this.#note.run(counted, trimmed, kept, line.id)
    if (!slice.isLast) return
    const next = trimRound(line, slice, now)
    this.#end.run(next.trimmed, next.kept, next.to, next.at, line.id)
  }
}
