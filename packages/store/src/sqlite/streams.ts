/** Streams: found on the reading side, created and removed on the writing side. */
import type { Appended, AuditEntry, Stream, StreamKey } from "@parlor/core"
import { keyColumns, STREAM_COLUMNS, type StreamRow, toStream } from "../stream-row.ts"
import type { Appends } from "./append.ts"
import type { BlobWrites } from "./blobs.ts"
import { type Database, transaction, unhurried } from "./connect.ts"
import type { SearchWrites } from "./search-index.ts"
import type { Work } from "./thread/wire.ts"
import type { TriggerWrites } from "./triggers.ts"

const BY_KEY = `SELECT ${STREAM_COLUMNS} FROM streams WHERE kind = ? AND agent = ? AND person = ? AND branch = ?`

export class StreamReads {
  readonly db: Database
  readonly #byKey
  readonly #byId
  readonly #ofPerson

  constructor(db: Database) {
    this.db = db
    this.#byKey = db.prepare(BY_KEY)
    this.#byId = db.prepare(`SELECT ${STREAM_COLUMNS} FROM streams WHERE id = ?`)
    this.#ofPerson = db.prepare(
      `SELECT ${STREAM_COLUMNS} FROM streams WHERE person = ? ORDER BY kind = 'feed', id LIMIT ?`,
    )
  }

  find(key: StreamKey): Stream | undefined {
    const row = this.#byKey.get(...keyColumns(key)) as StreamRow | undefined
    return row && toStream(row)
  }

  ofPerson(person: string, limit: number): Stream[] {
    return (this.#ofPerson.all(person, limit) as StreamRow[]).map(toStream)
  }

  get(id: number): Stream | undefined {
    const row = this.#byId.get(id) as StreamRow | undefined
    return row && toStream(row)
  }
}

/** What else belongs to a stream. */
type Held = { readonly search: SearchWrites; readonly blobs: BlobWrites; readonly triggers: TriggerWrites }

export class StreamWrites {
  readonly db: Database
  readonly #appends: Appends
  readonly #held: Held
  readonly #byKey
  readonly #insert
  readonly #parts
  readonly #known
  readonly #remove
  readonly #unwritten
  readonly #blank
  readonly #audit

  constructor(db: Database, appends: Appends, held: Held) {
    this.db = db
    this.#appends = appends
    this.#held = held
    this.#byKey = db.prepare(BY_KEY)
    this.#insert = db.prepare(
      `INSERT INTO streams (kind, agent, person, branch, created_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    )
    this.#parts = ["events", "rows", "streaming", "once"].map((table) =>
      db.prepare(`DELETE FROM ${table} WHERE stream = ?`),
    )
    this.#known = db.prepare("SELECT 1 FROM streams WHERE id = ?")
    this.#remove = db.prepare("DELETE FROM streams WHERE id = ?")
    this.#unwritten = db.prepare("SELECT id FROM streams WHERE person = ? AND kind = 'conversation' AND head = 0")
    this.#blank = db.prepare("UPDATE events SET value = ? WHERE stream = ? AND collection = ? AND key = ?")
    this.#audit = db.prepare("INSERT INTO audit (at, person, act, subject) VALUES (?, ?, ?, ?)")
  }

  ensure(key: StreamKey): StreamRow {
    unhurried(this.db, () => this.#insert.run(...keyColumns(key), Date.now()))
    return this.#byKey.get(...keyColumns(key)) as StreamRow
  }

  /** A rejected feed append undoes the removal. */
  remove(stream: number, feed: readonly Work[], audit: AuditEntry | undefined): Appended[] {
    const refused = new RefusedFeed()
    try {
      return transaction(this.db, () => {
        if (!this.drop(stream)) return []
        const answers = this.#appends.within(feed)
        refused.answers = answers
        if (answers.some((answer) => !answer.ok)) throw refused
        for (const { stream: id, changes } of feed)
          for (const { collection, key, operation, value } of changes)
            if (operation === "delete") this.#blank.run(value, id, collection, key)
        if (audit !== undefined) this.#audit.run(audit.at, audit.person, audit.act, audit.subject)
        return answers
      })
    } catch (error) {
      if (error === refused) return refused.answers
      throw error
    }
  }

  /** Conversations of that person without messages, within a transaction. */
  dropUnwritten(person: string): void {
    for (const { id } of this.#unwritten.all(person) as { readonly id: number }[]) this.drop(id)
  }

  /** With everything that belongs to it, within a transaction. */
  drop(stream: number): boolean {
    if (this.#known.get(stream) === undefined) return false
    this.#appends.rows.dropLarge(stream)
    for (const part of this.#parts) part.run(stream)
    this.#held.search.dropTexts(stream)
    this.#held.blobs.release(stream)
    this.#held.triggers.release(stream)
    // Last, because counting what it held still needs its person.
    this.#remove.run(stream)
    return true
  }
}

class RefusedFeed extends Error {
  answers: Appended[] = []
}
