/** Triggers and firings. A change and its firings are one transaction. */
import type { AuditEntry, FiringRecord, TriggerKind, TriggerRecord, Triggers } from "@parlor/core"
import type { StreamId } from "@parlor/protocol"
import {
  FIRING_COLUMNS,
  type FiringRow,
  kindPair,
  TRIGGER_COLUMNS,
  type TriggerRow,
  toFiring,
  toTrigger,
} from "../trigger-row.ts"
import { type Database, erasing, transaction } from "./connect.ts"

export type TriggerBounds = Parameters<Triggers["add"]>[1]
/** How many firings of each kind are kept. Passed by the main thread: the worker loads nothing it does not need. */
export type KeptFirings = { readonly usual: number; readonly refused: number }
type Page = Parameters<Triggers["due"]>[2]

const NEWEST = "ORDER BY at DESC, id DESC LIMIT ?"

export class TriggerReads {
  readonly db: Database
  readonly #ofPerson
  readonly #on
  readonly #one
  readonly #byId
  readonly #due
  readonly #next
  readonly #firings
  readonly #sent

  constructor(db: Database) {
    this.db = db
    const select = `SELECT ${TRIGGER_COLUMNS} FROM triggers`
    this.#ofPerson = db.prepare(`${select} WHERE person = ? AND kind IN (?, ?) ORDER BY created_at, id`)
    this.#on = db.prepare(`${select} WHERE stream = ? AND kind = ? ORDER BY created_at, id`)
    this.#one = db.prepare(`${select} WHERE id = ?`)
    this.#byId = db.prepare(`${select} WHERE id > ? AND kind IN (?, ?) ORDER BY id LIMIT ?`)
    this.#due = db.prepare(
      `${select} WHERE look_at IS NOT NULL AND look_at <= ? AND (look_at, id) > (?, ?) AND kind IN (?, ?)
       ORDER BY look_at, id LIMIT ?`,
    )
    this.#next = db.prepare(
      "SELECT look_at FROM triggers WHERE look_at IS NOT NULL AND kind IN (?, ?) ORDER BY look_at, id LIMIT 1",
    )
    this.#firings = db.prepare(`SELECT ${FIRING_COLUMNS} FROM firings WHERE trigger_id = ? ${NEWEST}`)
    this.#sent = db.prepare(
      `SELECT count(*) AS count FROM firings JOIN triggers ON triggers.id = trigger_id
       WHERE triggers.stream = ? AND triggers.kind = ? AND firings.kind = 'sent' AND at >= ?`,
    )
  }

  of(person: string, kinds: readonly TriggerKind[]): TriggerRecord[] {
    return (this.#ofPerson.all(person, ...kindPair(kinds)) as TriggerRow[]).map(toTrigger)
  }

  on(stream: StreamId, kind: TriggerKind): TriggerRecord[] {
    return (this.#on.all(stream, kind) as TriggerRow[]).map(toTrigger)
  }

  get(id: string): TriggerRecord | undefined {
    const row = this.#one.get(id) as TriggerRow | undefined
    return row && toTrigger(row)
  }

  byId(kinds: readonly TriggerKind[], { after, limit }: Parameters<Triggers["byId"]>[1]): TriggerRecord[] {
    return (this.#byId.all(after, ...kindPair(kinds), limit) as TriggerRow[]).map(toTrigger)
  }

  due(kinds: readonly TriggerKind[], now: number, { limit, after }: Page): TriggerRecord[] {
    const from = [after?.lookAt ?? -1, after?.id ?? ""]
    return (this.#due.all(now, ...from, ...kindPair(kinds), limit) as TriggerRow[]).map(toTrigger)
  }

  nextLook(kinds: readonly TriggerKind[]): number | undefined {
    return (this.#next.get(...kindPair(kinds)) as { readonly look_at: number } | undefined)?.look_at
  }

  firings(triggers: readonly string[], most: number): FiringRecord[] {
    return triggers.flatMap((id) => (this.#firings.all(id, most) as FiringRow[]).map(toFiring))
  }

  countSent(stream: StreamId, kind: TriggerKind, since: number): number {
    return (this.#sent.get(stream, kind, since) as { readonly count: number }).count
  }
}

export class TriggerWrites {
  readonly db: Database
  readonly #kept: KeptFirings
  readonly #known
  readonly #stream
  readonly #ofPerson
  readonly #onStream
  readonly #add
  readonly #over
  readonly #change
  readonly #delete
  readonly #deleteFirings
  readonly #put
  readonly #prune
  readonly #release
  readonly #audit

  constructor(db: Database, kept: KeptFirings) {
    this.db = db
    this.#kept = kept
    this.#known = db.prepare("SELECT 1 FROM triggers WHERE id = ?")
    this.#stream = db.prepare("SELECT 1 FROM streams WHERE id = ?")
    const count = "SELECT count(*) AS count FROM triggers WHERE live = 1 AND kind = ?"
    this.#ofPerson = db.prepare(`${count} AND person = ?`)
    this.#onStream = db.prepare(`${count} AND stream IS ?`)
    this.#add = db.prepare(`INSERT INTO triggers (${TRIGGER_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
    this.#over = db.prepare(
      "SELECT id FROM triggers WHERE stream = ? AND kind = ? AND live = 0 ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET ?",
    )
    this.#change = db.prepare(
      "UPDATE triggers SET look_at = ?, live = ?, version = ?, value = ? WHERE id = ? AND version = ?",
    )
    this.#delete = db.prepare("DELETE FROM triggers WHERE id = ?")
    this.#deleteFirings = db.prepare("DELETE FROM firings WHERE trigger_id = ?")
    this.#put = db.prepare(
      `INSERT INTO firings (${FIRING_COLUMNS}) VALUES (?, ?, ?, ?, ?) ON CONFLICT (trigger_id, id) DO UPDATE
       SET at = excluded.at, kind = excluded.kind, value = excluded.value WHERE firings.kind <> 'sent'`,
    )
    this.#prune = db.prepare(
      `DELETE FROM firings WHERE trigger_id = ?1 AND (kind = 'refused') = ?2 AND id NOT IN (
         SELECT id FROM firings WHERE trigger_id = ?1 AND (kind = 'refused') = ?2 ORDER BY at DESC, id DESC LIMIT ?3)`,
    )
    this.#release = [
      db.prepare("DELETE FROM firings WHERE trigger_id IN (SELECT id FROM triggers WHERE stream = ?)"),
      db.prepare("DELETE FROM triggers WHERE stream = ?"),
    ]
    this.#audit = db.prepare("INSERT INTO audit (at, person, act, subject) VALUES (?, ?, ?, ?)")
  }

  add(record: TriggerRecord, { per, most }: TriggerBounds, audit?: AuditEntry): "added" | "known" | "full" | "gone" {
    const { id, kind, person, stream, lookAt, live, version, createdAt, value } = record
    return transaction(this.db, () => {
      if (this.#known.get(id) !== undefined) return "known"
      if (stream !== null && this.#stream.get(stream) === undefined) return "gone"
      const counted = per === "person" ? this.#ofPerson.get(kind, person) : this.#onStream.get(kind, stream)
      if (live && (counted as { readonly count: number }).count >= most) return "full"
      this.#add.run(id, kind, person, stream, lookAt, live ? 1 : 0, version, createdAt, value)
      for (const over of this.#over.all(stream, kind, this.#kept.usual) as { readonly id: string }[])
        this.#drop(over.id)
      this.#note(audit)
      return "added"
    })
  }

  /** `erase`: the previous value is overwritten with zeros. */
  change(
    record: TriggerRecord,
    firings: readonly FiringRecord[] = [],
    { erase = false }: { readonly erase?: boolean } = {},
  ): boolean {
    if (erase) return erasing(this.db, () => this.change(record, firings))
    const { id, lookAt, live, version, value } = record
    return transaction(this.db, () => {
      if (this.#change.run(lookAt, live ? 1 : 0, version, value, id, version - 1).changes === 0) return false
      for (const firing of firings) this.#write(firing)
      return true
    })
  }

  delete(id: string, audit?: AuditEntry): boolean {
    return transaction(this.db, () => {
      if (!this.#drop(id)) return false
      this.#note(audit)
      return true
    })
  }

  putFiring(firing: FiringRecord): void {
    transaction(this.db, () => this.#write(firing))
  }

  /** Within the transaction that removes the stream. */
  release(stream: number): void {
    for (const part of this.#release) part.run(stream)
  }

  #write({ trigger, id, at, kind, value }: FiringRecord): void {
    if (this.#known.get(trigger) === undefined) return
    this.#put.run(trigger, id, at, kind, value)
    const isRefused = kind === "refused"
    this.#prune.run(trigger, isRefused ? 1 : 0, isRefused ? this.#kept.refused : this.#kept.usual)
  }

  #drop(id: string): boolean {
    this.#deleteFirings.run(id)
    return this.#delete.run(id).changes > 0
  }

  #note(audit: AuditEntry | undefined): void {
    if (audit !== undefined) this.#audit.run(audit.at, audit.person, audit.act, audit.subject)
  }
}
