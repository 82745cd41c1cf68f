/**
 * Streams: found on the reading side; created, leased and removed on the writing side. Imports are streams that are
 * adopted when they are complete and removed when they are abandoned (LOG-28). What a removed stream had is deleted slice
 * by slice (`leftovers.ts`).
 *
 * Leases are compared with this process's clock: with SQLite there is only one process.
 */
import type { Adoption, Appended, AuditEntry, Stream, StreamKey } from "@parlor/core"
import type { StreamId } from "@parlor/protocol"
import { ONCE_MS } from "../stored-row.ts"
import { keyColumns, STREAM_COLUMNS, type StreamRow, toStream, UNCLAIMED_MS } from "../stream-row.ts"
import type { Appends } from "./append.ts"
import type { BlobWrites } from "./blobs.ts"
import { type Database, transaction, unhurried } from "./connect.ts"
import { Leftovers } from "./leftovers.ts"
import type { SearchWrites } from "./search.ts"
import type { Work } from "./thread/wire.ts"
import type { TriggerWrites } from "./triggers.ts"

const BY_KEY = `SELECT ${STREAM_COLUMNS} FROM streams WHERE kind = ? AND agent = ? AND person = ? AND branch = ?`

export class StreamReads {
  readonly db: Database
  readonly #byKey
  readonly #byId
  readonly #ofPerson
  readonly #orphans

  constructor(db: Database) {
    this.db = db
    this.#byKey = db.prepare(BY_KEY)
    this.#byId = db.prepare(`SELECT ${STREAM_COLUMNS} FROM streams WHERE id = ?`)
    this.#ofPerson = db.prepare(
      `SELECT ${STREAM_COLUMNS} FROM streams WHERE person = ? ORDER BY kind = 'feed', id LIMIT ?`,
    )
    this.#orphans = db.prepare(
      `SELECT ${STREAM_COLUMNS} FROM streams WHERE active = 1 AND (owner IS NULL OR lease_until <= ?)
       ORDER BY id LIMIT ?`,
    )
  }

  find(key: StreamKey): Stream | undefined {
    const row = this.#byKey.get(...keyColumns(key)) as StreamRow | undefined
    return row && toStream(row)
  }

  streamsOf(person: string, limit: number): Stream[] {
    return (this.#ofPerson.all(person, limit) as StreamRow[]).map(toStream)
  }

  orphans(limit: number): Stream[] {
    return (this.#orphans.all(Date.now(), limit) as StreamRow[]).map(toStream)
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
  readonly #leftovers: Leftovers
  readonly #byKey
  readonly #insert
  readonly #parts
  readonly #unshare
  readonly #known
  readonly #remove
  readonly #unwritten
  readonly #blank
  readonly #audit
  readonly #renew
  readonly #find
  readonly #import
  readonly #once
  readonly #moves
  readonly #place
  readonly #abandoned

  constructor(db: Database, appends: Appends, held: Held) {
    this.db = db
    this.#appends = appends
    this.#held = held
    this.#leftovers = new Leftovers(db, appends.rows, held)
    this.#byKey = db.prepare(BY_KEY)
    this.#insert = db.prepare(
      `INSERT INTO streams (kind, agent, person, branch, created_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    )
    this.#parts = ["events", "rows", "streaming", "once", "shares"].map((table) =>
      db.prepare(`DELETE FROM ${table} WHERE stream = ?`),
    )
    this.#unshare = db.prepare("DELETE FROM shares WHERE stream = ?")
    this.#known = db.prepare("SELECT 1 FROM streams WHERE id = ?")
    this.#remove = db.prepare("DELETE FROM streams WHERE id = ?")
    this.#unwritten = db.prepare("SELECT id FROM streams WHERE person = ? AND kind = 'conversation' AND head = 0")
    this.#blank = db.prepare("UPDATE events SET value = ? WHERE stream = ? AND collection = ? AND key = ?")
    this.#audit = db.prepare("INSERT INTO audit (at, person, act, subject) VALUES (?, ?, ?, ?)")
    this.#renew = db.prepare("UPDATE streams SET lease_until = ? WHERE id = ? AND owner = ?")
    this.#find = db.prepare("SELECT head, control, branch, person FROM streams WHERE id = ? AND kind = 'conversation'")
    this.#import = db.prepare("SELECT 1 FROM streams WHERE id = ? AND kind = 'import'")
    this.#once = db.prepare("SELECT hash, answer, seq FROM once WHERE stream = ? AND key = ? AND at > ?")
    this.#moves = ["triggers", "once", "shares"].map((table) =>
      db.prepare(`UPDATE ${table} SET stream = ? WHERE stream = ?`),
    )
    this.#place = db.prepare(
      "UPDATE streams SET kind = 'conversation', branch = ?, owner = NULL, lease_until = 0 WHERE id = ?",
    )
    this.#abandoned = db.prepare(
      `SELECT id FROM streams WHERE kind = 'import' AND lease_until <= ?1
       AND (epoch > 0 OR created_at <= ?1 - ${UNCLAIMED_MS}) ORDER BY id LIMIT 1`,
    )
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
        if (!this.#removeStream(stream)) return []
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

  /** An expired lease that nobody took still belongs to this owner: a takeover would have changed the owner. */
  renew(owner: string, streams: readonly StreamId[], ttlMs: number): StreamId[] {
    const until = Date.now() + ttlMs
    return transaction(this.db, () => streams.filter((stream) => this.#renew.run(until, stream, owner).changes === 0))
  }

  /** Only this process has the file open, so no earlier lease holder is alive. */
  voidLeases(): void {
    this.db.exec("UPDATE streams SET owner = NULL, lease_until = 0 WHERE owner IS NOT NULL OR lease_until > 0")
  }

  adopt(imported: StreamId, { over, attachments }: Omit<Adoption, "append">, append: Work): Appended {
    return transaction(this.db, () => {
      const line = this.#find.get(over.id) as Line | undefined
      if (line === undefined || this.#import.get(imported) === undefined) return { ok: false, why: "gone" }
      const known = append.once && (this.#once.get(over.id, append.once.key, Date.now() - ONCE_MS) as Known | undefined)
      if (known) return { ok: false, why: "repeated", hash: known.hash, answer: known.answer, seq: known.seq }
      if (line.head !== over.head || line.control !== over.control) return { ok: false, why: "moved" }
      const [answer] = this.#appends.within([append])
      if (!answer?.ok) return answer ?? { ok: false, why: "gone" }
      for (const move of this.#moves) move.run(imported, over.id)
      this.drop(over.id)
      this.#place.run(line.branch, imported)
      for (const { held, ...attachment } of attachments) this.#held.blobs.hand(imported, line.person, attachment, held)
      return answer
    })
  }

  /** False if there was nothing to delete. */
  freeSlice(): boolean {
    const found = this.#abandoned.get(Date.now()) as { readonly id: number } | undefined
    return unhurried(this.db, () =>
      transaction(this.db, () => (found === undefined ? this.#leftovers.free() : this.#removeStream(found.id))),
    )
  }

  /** A long one only loses its row, its triggers and its shares: the rest is freed later. Within a transaction. */
  #removeStream(stream: number): boolean {
    if (this.#leftovers.isSmall(stream)) return this.drop(stream)
    if (this.#known.get(stream) === undefined) return false
    this.#held.triggers.release(stream)
    this.#unshare.run(stream)
    this.#leftovers.leave(stream)
    this.#remove.run(stream)
    return true
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

type Line = { readonly head: number; readonly control: number; readonly branch: string; readonly person: string }
type Known = { readonly hash: string; readonly answer: string; readonly seq: number }
