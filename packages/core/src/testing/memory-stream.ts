/** One stream in memory: its log, its rows, its lease. */
import { Bug, type Collection, controlCollections, type StoredChange, type StreamId } from "@parlor/protocol"
import type { Append, Appended, EventPage, RowChange, RowQuery, StoredRow, Stream, StreamKey } from "../ports/store.ts"
import { EVENT_BYTES, ONCE_KEPT_MS } from "../ports/usage.ts"
import { compareText, countRow, MemoryRows, utf8Length } from "./memory-rows.ts"
import { neededEvents, nextTrim } from "./memory-trim.ts"

type Answer = { readonly hash: string; readonly answer: string; readonly seq: number; readonly at: number }

export class MemoryStream {
  readonly id: StreamId
  key: StreamKey
  readonly #events: StoredChange[] = []
  #head = 0
  readonly #rows = new Map<Collection, MemoryRows>()
  /** By message, then by key. */
  readonly #deltas = new Map<string, Map<string, StoredRow>>()
  readonly #once = new Map<string, Answer>()
  #control = 0
  #epoch = 0
  #batch = 0
  #owner: string | undefined
  #leaseUntil = 0
  #active = false
  #bytes = 0
  /** When trimming it became due, and up to where; or 0 and the head at which it will be. */
  #trimAt = 0
  #trimTo = 0

  constructor(id: StreamId, key: StreamKey) {
    this.id = id
    this.key = key
  }

  get head(): number {
    return this.#head
  }

  /** The size of its log, as counted for quotas (SEC-23). */
  get bytes(): number {
    return this.#bytes
  }

  /** In its workspace (SEC-42). */
  get files(): number {
    return this.#rows.get("files")?.size ?? 0
  }

  get events(): readonly StoredChange[] {
    return this.#events
  }

  snapshot(): Stream {
    return { id: this.id, key: this.key, head: this.head, control: this.#control, epoch: this.#epoch }
  }

  /** Why an append cannot be written, or the answer of the earlier one. */
  refuse(append: Append, feedHead: number, now: number): Appended | undefined {
    const known = this.known(append.once, now)
    if (known !== undefined) return known
    if (append.epoch !== undefined && append.epoch !== this.#epoch) return { ok: false, why: "fenced" }
    const claim = append.lease?.kind === "claim" ? append.lease : undefined
    if (append.batch !== undefined && !claim && append.batch <= this.#batch) return this.answer(feedHead, true)
    if (append.expect !== undefined && append.expect !== this.#control) return { ok: false, why: "moved" }
    const isHeld = this.#owner !== undefined && this.#leaseUntil > now
    if (claim && !claim.force && isHeld && this.#owner !== claim.owner) return { ok: false, why: "owned" }
    return undefined
  }

  write(changes: readonly RowChange[], { txid, at }: Append, now: number): void {
    let moves = false
    for (const change of changes) {
      const { collection, key, operation, value } = change
      this.#head += 1
      this.#events.push({ seq: this.#head, collection, key, operation, value, txid, at })
      this.#bytes += sizeOf(change)
      moves ||= controlCollections.has(collection)
      this.#apply(change)
    }
    if (moves) this.#control += 1
    if (this.#trimAt === 0 && this.#head > this.#trimTo) this.#due(now)
  }

  settle({ lease, batch, active, once }: Append, now: number): void {
    if (lease?.kind === "claim") {
      this.#epoch += 1
      this.#batch = 0
      this.#owner = lease.owner
      this.#leaseUntil = now + lease.ttlMs
    } else if (lease?.kind === "release") {
      this.#owner = undefined
      this.#leaseUntil = 0
    }
    if (batch !== undefined) this.#batch = batch
    if (active !== undefined) this.#active = active
    if (once) this.#once.set(once.key, { hash: once.hash, answer: once.answer, seq: this.head, at: now })
  }

  answer(feedHead: number, skipped: boolean): Appended {
    return { ok: true, head: this.head, control: this.#control, epoch: this.#epoch, feedHead, skipped }
  }

  /** False if this owner has lost it. An expired lease that nobody took is still its own. */
  renew(owner: string, until: number): boolean {
    if (this.#owner !== owner) return false
    this.#leaseUntil = until
    return true
  }

  /** Takes the address and the idempotency keys of an empty conversation. */
  adopt(over: MemoryStream): void {
    this.key = over.key
    for (const [key, answer] of over.#once) this.#once.set(key, answer)
    this.#owner = undefined
    this.#leaseUntil = 0
  }

  /** The earlier answer for that idempotency key. */
  known(once: Append["once"], now: number): Appended | undefined {
    const known = once && this.#once.get(once.key)
    if (known === undefined || known.at <= now - ONCE_KEPT_MS) return undefined
    const { hash, answer, seq } = known
    return { ok: false, why: "repeated", hash, answer, seq }
  }

  isAbandoned(now: number): boolean {
    return this.key.kind === "import" && this.#epoch > 0 && this.#leaseUntil <= now
  }

  isOrphan(now: number): boolean {
    return this.#active && (this.#owner === undefined || this.#leaseUntil <= now)
  }

  list(query: RowQuery): StoredRow[] {
    const { collection } = query
    if (collection === "deltas") return this.#deltaList(query)
    return this.#rowsOf(collection).list(query)
  }

  page(after: number, bounds: { readonly count: number; readonly bytes: number }): EventPage {
    const changes: StoredChange[] = []
    let bytes = 0
    for (let i = this.#indexAfter(after); i < this.#events.length && changes.length < Math.max(bounds.count, 1); i++) {
      const event = this.#events[i]
      if (event === undefined) break
      bytes += utf8Length(event.value)
      if (changes.length > 0 && bytes > bounds.bytes) break
      changes.push(event)
    }
    return { head: this.head, changes }
  }

  /** Replaces everything the log said about this key (SEC-11). */
  blank({ collection, key, value }: RowChange): void {
    for (const [index, event] of this.#events.entries())
      if (event.collection === collection && event.key === key) this.#events[index] = { ...event, value }
    this.#bytes = this.#events.reduce((sum, event) => sum + sizeOf(event), 0)
  }

  isDue(before: number): boolean {
    return this.#trimAt > 0 && this.#trimAt <= before
  }

  /** Drops what is not needed anymore (LOG-36, LOG-37). */
  trim(now: number, told: readonly number[]): { readonly events: number; readonly bytes: number } {
    const isFeed = this.key.kind === "feed"
    const first = this.#events.find(({ collection, key }) => collection === "deltas" && this.#streams(key))
    const end = Math.min(this.#trimTo, first === undefined ? this.#trimTo : first.seq - 1)
    const hasRow = (collection: string, key: string) => this.#rowsOf(collection as Collection).has(key)
    const needed = neededEvents(this.#events, { isFeed, end, told, now, hasRow })
    const events = this.#events.length - needed.length
    const bytes = this.#bytes - needed.reduce((sum, event) => sum + sizeOf(event), 0)
    this.#events.splice(0, this.#events.length, ...needed)
    this.#bytes -= bytes
    this.#trimAt = 0
    const next = isFeed ? nextTrim(this.#trimTo, needed.filter(({ seq }) => seq <= end).length) : this.#trimTo
    if (this.#head > next) this.#due(now)
    else this.#trimTo = next
    return { events, bytes: bytes - events * EVENT_BYTES }
  }

  #due(now: number): void {
    this.#trimAt = now
    this.#trimTo = this.#head
  }

  /** Whether the message of this delta still streams. */
  #streams(key: string): boolean {
    return this.#deltas.get(messageOf(key))?.has(key) ?? false
  }

  /** The log may have gaps. */
  #indexAfter(after: number): number {
    let [low, high] = [0, this.#events.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#events[middle]?.seq ?? 0) <= after) low = middle + 1
      else high = middle
    }
    return low
  }

  allRows(): StoredRow[] {
    return [...[...this.#rows.values()].flatMap((rows) => rows.all()), ...this.#deltaRows()]
  }

  #apply(change: RowChange): void {
    const { collection, key, operation, value, dropsDeltasOf } = change
    if (collection === "deltas") {
      const message = messageOf(key)
      const deltas = this.#deltas.get(message) ?? new Map<string, StoredRow>()
      this.#deltas.set(message, deltas)
      if (operation === "delete") deltas.delete(key)
      else deltas.set(key, { collection, key, ord: null, value })
      return
    }
    const rows = this.#rowsOf(collection)
    if (operation === "delete") rows.delete(key)
    else rows.put(change)
    if (dropsDeltasOf !== undefined) this.#deltas.delete(dropsDeltasOf)
  }

  #rowsOf(collection: Collection): MemoryRows {
    const known = this.#rows.get(collection)
    if (known !== undefined) return known
    const rows = new MemoryRows(collection)
    this.#rows.set(collection, rows)
    return rows
  }

  /** Deltas are not paged. */
  #deltaList({ key, count, ...bounds }: RowQuery): StoredRow[] {
    const { newest, before, oldest, first, last } = bounds
    if ([newest, before, oldest, first, last].some((bound) => bound !== undefined)) return []
    const rows = this.#deltaRows()
    if (key !== undefined) return rows.filter((row) => row.key === key)
    return count ? [countRow("deltas", rows.length)] : rows
  }

  #deltaRows(): StoredRow[] {
    const messages = [...this.#deltas].sort(([a], [b]) => compareText(a, b))
    return messages.flatMap(([, rows]) => [...rows.values()])
  }
}

function sizeOf({ value }: { readonly value: string }): number {
  return utf8Length(value) + EVENT_BYTES
}

/** Throws for a delta whose key names no message. */
export function messageOf(key: string): string {
  const end = key.indexOf("/")
  if (end < 0) throw new Bug(`a delta's key begins with its message and a slash, not "${key}"`)
  return key.slice(0, end)
}
