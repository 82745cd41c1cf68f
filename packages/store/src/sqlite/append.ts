/**
 * The only write of the log, on the writer thread.
 *
 * One transaction per batch. A stream's row is read when an append of the batch first names it, changed in memory by
 * each append in turn and written back once before the commit: nobody else writes, so memory is authoritative during
 * the transaction. An append is checked completely before its first write, so a rejected one leaves nothing.
 */
import type { Appended, RowChange } from "@parlor/core"
import { rowEffects } from "../row-effects.ts"
import { ADD_SPENDING, SPENDING_COLUMNS, spendingCells } from "../spending-row.ts"
import { addedFiles, EVENT_OVERHEAD, ONCE_MS } from "../stored-row.ts"
import { type Database, transaction } from "./connect.ts"
import { RowWrites } from "./rows.ts"
import type { SearchWrites } from "./search.ts"
import type { Work } from "./thread/wire.ts"
import type { StoredWrites } from "./usage.ts"

/** Events per statement: each driver call costs as much as a small row. */
const EVENTS_AT_ONCE = 8

type Line = {
  readonly id: number
  /** The person whose quota its log counts against; none for a feed. */
  readonly countsFor: string | undefined
  readonly isConversation: boolean
  readonly headBefore: number
  readonly bytesBefore: number
  head: number
  control: number
  epoch: number
  batch: number
  owner: string | null
  leaseUntil: number
  bytes: number
  /** How many more than before. */
  files: number
  /** When trimming it became due, and up to where; or 0 and the head at which it will be (LOG-36). */
  readonly trimAt: number
  readonly trimTo: number
  active: boolean
  wasActive: boolean
  dirty: boolean
}

type Lines = Map<number, Line | undefined>
type Stamp = { readonly txid: string; readonly at: number }

export class Appends {
  readonly db: Database
  readonly rows: RowWrites
  readonly #search: SearchWrites
  readonly #stored: StoredWrites
  readonly #line
  readonly #saveLine
  readonly #saveActive
  readonly #saveTrim
  readonly #events
  readonly #drop
  readonly #stream
  readonly #once
  readonly #saveOnce
  readonly #spend

  constructor(db: Database, search: SearchWrites, stored: StoredWrites) {
    this.db = db
    this.rows = new RowWrites(db)
    this.#search = search
    this.#stored = stored
    this.#line = db.prepare(
      `SELECT head, control, epoch, batch, owner, lease_until, active, kind, person, bytes, trim_at, trim_to
       FROM streams WHERE id = ?`,
    )
    this.#line.setReturnArrays(true)
    this.#saveLine = db.prepare(
      "UPDATE streams SET head = ?, control = ?, epoch = ?, batch = ?, owner = ?, lease_until = ?, bytes = ? WHERE id = ?",
    )
    this.#saveActive = db.prepare(
      `UPDATE streams SET head = ?, control = ?, epoch = ?, batch = ?, owner = ?, lease_until = ?, bytes = ?, active = ?
       WHERE id = ?`,
    )
    this.#saveTrim = db.prepare("UPDATE streams SET trim_at = ?, trim_to = ? WHERE id = ?")
    this.#events = Array.from({ length: EVENTS_AT_ONCE }, (_, more) => db.prepare(insertEvents(more + 1)))
    this.#drop = db.prepare("DELETE FROM streaming WHERE stream = ? AND message = ?")
    this.#stream = db.prepare("INSERT INTO streaming VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
    this.#once = db.prepare("SELECT hash, answer, seq FROM once WHERE stream = ? AND key = ? AND at > ?")
    this.#saveOnce = db.prepare("INSERT OR REPLACE INTO once VALUES (?, ?, ?, ?, ?, ?)")
    this.#spend = db.prepare(
      `INSERT INTO spending (${SPENDING_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ${ADD_SPENDING}`,
    )
  }

  commit(batch: readonly Work[]): Appended[] {
    return transaction(this.db, () => this.within(batch))
  }

  /** The same inside an open transaction. */
  within(batch: readonly Work[]): Appended[] {
    const lines: Lines = new Map()
    const answers = batch.map((work) => this.#append(lines, work))
    for (const line of lines.values()) if (line?.dirty) this.#save(line)
    this.#count(lines)
    return answers
  }

  #append(lines: Lines, work: Work): Appended {
    const line = this.#load(lines, work.stream)
    const feed = work.feed && this.#load(lines, work.feed.stream)
    if (line === undefined || (work.feed && feed === undefined)) return { ok: false, why: "gone" }
    const now = Date.now()
    const refused = this.#refuse(line, feed?.head ?? 0, work, now)
    if (refused !== undefined) return refused

    this.#write(line, work.changes, work.moves, work)
    this.#search.write(work)
    if (work.feed && feed) this.#write(feed, work.feed.changes, work.feedMoves, work)
    settle(line, work, now)
    for (const spent of work.spent ?? []) this.#spend.run(...spendingCells(spent))
    if (work.once) this.#saveOnce.run(line.id, work.once.key, work.once.hash, work.once.answer, line.head, now)
    return answer(line, feed?.head ?? 0, false)
  }

  #refuse(line: Line, feedHead: number, work: Work, now: number): Appended | undefined {
    const known = work.once && (this.#once.get(line.id, work.once.key, now - ONCE_MS) as Repeated | undefined)
    if (known) return { ok: false, why: "repeated", hash: known.hash, answer: known.answer, seq: known.seq }
    if (work.epoch !== undefined && work.epoch !== line.epoch) return { ok: false, why: "fenced" }
    const claim = work.lease?.kind === "claim" ? work.lease : undefined
    if (work.batch !== undefined && !claim && work.batch <= line.batch) return answer(line, feedHead, true)
    if (work.expect !== undefined && work.expect !== line.control) return { ok: false, why: "moved" }
    const held = line.owner !== null && line.leaseUntil > now
    if (claim && !claim.force && held && line.owner !== claim.owner) return { ok: false, why: "owned" }
    return undefined
  }

  #write(line: Line, changes: readonly RowChange[], moves: boolean, stamp: Stamp): void {
    if (changes.length === 0) return
    const { effects, drops, streaming } = rowEffects(changes)
    for (const message of drops) this.#drop.run(line.id, message)
    for (const [message, i] of streaming) this.#stream.run(line.id, message, line.head + 1 + i)
    for (let from = 0; from < changes.length; from += EVENTS_AT_ONCE)
      this.#addEvents(line, changes.slice(from, from + EVENTS_AT_ONCE), line.head + 1 + from, stamp)
    for (const [i, change] of changes.entries()) {
      if (effects[i] === "put") this.rows.put(line.id, change, line.head + 1 + i)
      else if (effects[i] === "delete") this.rows.delete(line.id, change)
    }
    line.head += changes.length
    if (line.countsFor !== undefined) {
      for (const { value } of changes) line.bytes += Buffer.byteLength(value) + EVENT_OVERHEAD
      line.files += addedFiles(changes)
    }
    if (moves) line.control += 1
    line.dirty = true
  }

  #addEvents(line: Line, changes: readonly RowChange[], first: number, { txid, at }: Stamp): void {
    const cells: (string | number)[] = [line.id, first, txid, at]
    for (const { collection, key, operation, value } of changes) cells.push(collection, key, operation, value)
    this.#events[changes.length - 1]?.run(...cells)
  }

  #load(lines: Lines, id: number): Line | undefined {
    if (lines.has(id)) return lines.get(id)
    const cells = this.#line.get(id) as LineCells | undefined
    const line = cells && toLine(id, cells)
    lines.set(id, line)
    return line
  }

  #save({ id, head, control, epoch, batch, owner, leaseUntil, bytes, active, wasActive, ...trim }: Line): void {
    // This column is written only if it changed, because it has an index.
    if (active === wasActive) this.#saveLine.run(head, control, epoch, batch, owner, leaseUntil, bytes, id)
    else this.#saveActive.run(head, control, epoch, batch, owner, leaseUntil, bytes, active ? 1 : 0, id)
    if (trim.trimAt === 0 && head > trim.trimTo) this.#saveTrim.run(Date.now(), head, id)
  }

  /** One row per person of the batch. */
  #count(lines: Lines): void {
    const added = new Map<string, { conversations: number; bytes: number }>()
    for (const line of lines.values()) {
      if (line?.countsFor === undefined || line.head === line.headBefore) continue
      const { conversations, bytes } = added.get(line.countsFor) ?? { conversations: 0, bytes: 0 }
      added.set(line.countsFor, {
        conversations: conversations + (line.isConversation && line.headBefore === 0 ? 1 : 0),
        bytes: bytes + line.bytes - line.bytesBefore,
      })
    }
    for (const [person, { conversations, bytes }] of added) this.#stored.add(person, conversations, bytes)
    for (const line of lines.values())
      if (line?.countsFor !== undefined && line.files !== 0) this.#stored.addFiles(line.countsFor, line.id, line.files)
  }
}

/** Stream, first number, transaction and time come first, then what differs between events. */
function insertEvents(count: number): string {
  const row = (i: number) => `(?1, ?2 + ${i}, ${[5, 6, 7, 8].map((cell) => `?${cell + 4 * i}`).join(", ")}, ?3, ?4)`
  return `INSERT INTO events VALUES ${Array.from({ length: count }, (_, i) => row(i)).join(", ")}`
}

type Repeated = { readonly hash: string; readonly answer: string; readonly seq: number }
type LineCells = readonly [
  ...[number, number, number, number, string | null, number, number, string, string, number, number, number],
]

function toLine(id: number, cells: LineCells): Line {
  const [head, control, epoch, batch, owner, leaseUntil, activeCell, kind, person, bytes, trimAt, trimTo] = cells
  const active = activeCell === 1
  const isConversation = kind === "conversation"
  const countsFor = kind === "feed" ? undefined : person
  const before = { countsFor, isConversation, headBefore: head, bytesBefore: bytes }
  const now = {
    head,
    control,
    epoch,
    batch,
    owner,
    leaseUntil,
    bytes,
    files: 0,
    active,
    wasActive: active,
    dirty: false,
  }
  return { id, ...before, ...now, trimAt, trimTo }
}

function settle(line: Line, work: Work, now: number): void {
  if (work.lease?.kind === "claim") {
    line.epoch += 1
    line.batch = 0
    line.owner = work.lease.owner
    line.leaseUntil = now + work.lease.ttlMs
  } else if (work.lease?.kind === "release") {
    line.owner = null
    line.leaseUntil = 0
  }
  if (work.batch !== undefined) line.batch = work.batch
  if (work.active !== undefined) line.active = work.active
  line.dirty = true
}

function answer(line: Line, feedHead: number, skipped: boolean): Appended {
  return { ok: true, head: line.head, control: line.control, epoch: line.epoch, feedHead, skipped }
}
