/**
 * A complete store in memory, for simulations: deterministic, on a given clock, with hooks to make it fail and wait.
 *
 * Runtimes that share one instance share everything. `node()` returns another handle on the same data with its own
 * hooks; its `watch` reports what the other handles write, as on PostgreSQL. The instance itself cannot tell its users
 * apart, so each of them is notified of everything.
 *
 * Nothing awaits inside a commit: others see all of it or nothing.
 */
import { Fault, type Millis, type StoredChange, type StreamId } from "@parlor/protocol"
import type { Attachment, Blobs } from "../ports/blobs.ts"
import type { Clock } from "../ports/clock.ts"
import type { Deletion } from "../ports/deletions.ts"
import type { DayTotal, Ledger, Spending } from "../ports/ledger.ts"
import type { LinkRecord, Links, LinksOf } from "../ports/links.ts"
import type { Memory, MemoryLine, MemoryScope } from "../ports/memories.ts"
import type { SearchHit } from "../ports/search.ts"
import type {
  Adoption,
  Append,
  Appended,
  AuditEntry,
  EventPage,
  KeyRecord,
  RowQuery,
  RowsRead,
  Store,
  StoredRow,
  Stream,
  StreamKey,
} from "../ports/store.ts"
import type { Stored } from "../ports/stored.ts"
import type { FiringRecord, TriggerKind, TriggerRecord, Triggers } from "../ports/triggers.ts"
import { MemoryBell } from "./memory-bell.ts"
import { MemoryDatabase } from "./memory-database.ts"
import { withinBytes } from "./memory-rows.ts"

export type MemoryHooks = {
  /** `fail`: nothing is written. `fail-after`: it is written, and the answer is lost. Also called before a removal. */
  beforeCommit?: (batch: readonly Append[]) => "fail" | "fail-after" | undefined
  /** Awaited before a commit or a removal and again after it. */
  latency?: () => Promise<void>
  /** Awaited after rows or events were read, so that the result may be outdated. */
  readLatency?: () => Promise<void>
  /** How long a notification takes to this node. A lost one is a late one: polling makes up for it. */
  bellMs?: () => number
}

export type StreamDump = { readonly events: readonly StoredChange[]; readonly rows: readonly StoredRow[] }

export class MemoryStore implements Store {
  hooks: MemoryHooks
  readonly #data: MemoryDatabase
  readonly #bell: MemoryBell
  readonly #hearsItself: boolean

  constructor(clock: Clock, hooks: MemoryHooks = {}, shared?: { data: MemoryDatabase; bell: MemoryBell }) {
    this.hooks = hooks
    this.#data = shared?.data ?? new MemoryDatabase(clock)
    this.#bell = shared?.bell ?? new MemoryBell(clock)
    this.#hearsItself = shared === undefined
  }

  /** Another node's handle on the same data. */
  node(hooks: MemoryHooks = {}): MemoryStore {
    return new MemoryStore(this.#data.clock, hooks, { data: this.#data, bell: this.#bell })
  }

  /** The content of a stream, including deltas. The events are the log itself, not a copy. */
  dump(stream: StreamId): StreamDump | undefined {
    const found = this.#data.get(stream)
    return found && { events: found.events, rows: found.allRows() }
  }

  get audit(): readonly AuditEntry[] {
    return this.#data.audit
  }

  find(key: StreamKey): Promise<Stream | undefined> {
    return this.#read(() => this.#data.find(key)?.snapshot())
  }

  async ensure(key: StreamKey): Promise<Stream> {
    return this.#data.ensure(key).snapshot()
  }

  commit(batch: readonly Append[]): Promise<readonly Appended[]> {
    return this.#write(batch, () => {
      const answers = this.#data.commit(batch)
      for (const [i, append] of batch.entries()) if (answers[i]?.ok) this.#ring(append)
      return answers
    })
  }

  remove(stream: StreamId, { feed, audit }: { readonly feed?: Append; readonly audit?: AuditEntry }) {
    return this.#write(feed === undefined ? [] : [feed], () => {
      const { found, answer } = this.#data.remove(stream, feed, audit)
      if (found && answer?.ok !== false) this.#bell.ring(stream, this.#from)
      if (feed !== undefined && answer?.ok) this.#ring(feed)
      return answer
    })
  }

  adopt(imported: StreamId, adoption: Adoption): Promise<Appended> {
    return this.#write([adoption.append], () => {
      const answer = this.#data.adopt(imported, adoption)
      if (answer.ok) {
        this.#bell.ring(adoption.over.id, this.#from)
        this.#ring(adoption.append)
      }
      return answer
    })
  }

  async dropImports(): Promise<boolean> {
    return this.#data.dropImport()
  }

  probe(): Promise<{ readonly isMigrated: boolean }> {
    return this.#read(() => ({ isMigrated: true }))
  }

  now(): Promise<Millis> {
    return this.#read(() => this.#data.clock.now())
  }

  read(stream: StreamId, queries: readonly RowQuery[]): Promise<RowsRead | undefined> {
    return this.#read(() => {
      const found = this.#data.get(stream)
      if (found === undefined) return undefined
      const all = queries.map((query) => found.list(query))
      const lists = all.map((rows, index) => withinBytes(rows, queries[index]?.bytes))
      const cut = lists.flatMap((list, index) => (list.length < (all[index]?.length ?? 0) ? [index] : []))
      return { stream: found.snapshot(), lists, cut }
    })
  }

  events(
    stream: StreamId,
    after: number,
    bounds: { readonly count: number; readonly bytes: number },
  ): Promise<EventPage | undefined> {
    return this.#read(() => this.#data.get(stream)?.page(after, bounds))
  }

  async renew(owner: string, streams: readonly StreamId[], ttlMs: number): Promise<readonly StreamId[]> {
    return this.#data.renew(owner, streams, ttlMs)
  }

  async orphans(limit: number): Promise<readonly Stream[]> {
    return this.#data.orphans(limit).map((stream) => stream.snapshot())
  }

  async secretKey(): Promise<string | undefined> {
    return this.#data.secretKey
  }

  async setSecretKey(id: string, before: string | undefined): Promise<boolean> {
    if (this.#data.secretKey !== before) return false
    this.#data.secretKey = id
    return true
  }

  async keys(person: string): Promise<readonly KeyRecord[]> {
    const own = [...this.#data.keys.values()].filter((key) => key.person === person)
    return own.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
  }

  async findKey(hash: string): Promise<KeyRecord | undefined> {
    return [...this.#data.keys.values()].find((key) => key.hash === hash)
  }

  async findKeys(hashes: readonly string[]): Promise<readonly KeyRecord[]> {
    return [...this.#data.keys.values()].filter((key) => hashes.includes(key.hash))
  }

  async addKey(key: KeyRecord, audit: AuditEntry): Promise<boolean> {
    return this.#data.addKey(key, audit)
  }

  async revokeKey(person: string, id: string, audit: AuditEntry): Promise<readonly string[]> {
    return this.#data.revokeKey(person, id, audit)
  }

  links(of: LinksOf, page: Parameters<Links["links"]>[1]): Promise<readonly LinkRecord[]> {
    return this.#read(() => this.#data.links.of(of, page))
  }

  linksOf(names: readonly string[]): Promise<readonly LinkRecord[]> {
    return this.#read(() => names.flatMap((name) => this.#data.links.get(name) ?? []))
  }

  link(record: LinkRecord, options: Parameters<Links["link"]>[1], audit: AuditEntry) {
    return this.#write([], () => this.#data.link(record, options, audit))
  }

  unlink(record: Pick<LinkRecord, "name" | "person">, audit: AuditEntry): Promise<boolean> {
    return this.#write([], () => {
      if (!this.#data.links.delete(record)) return false
      this.#data.audit.push(audit)
      return true
    })
  }

  memoryIndex(person: string): Promise<readonly MemoryLine[]> {
    return this.#read(() => this.#data.memories.list(person).map(({ body: _, ...line }) => line))
  }

  memory(person: string, scope: MemoryScope, name: string): Promise<Memory | undefined> {
    return this.#read(() => this.#data.memories.get(person, scope, name))
  }

  memories(person: string, options: { readonly pinned?: true } = {}): Promise<readonly Memory[]> {
    return this.#read(() => this.#data.memories.list(person).filter((memory) => memory.pinned || !options.pinned))
  }

  putMemory(person: string, memory: Memory, most: number): Promise<boolean> {
    return this.#write([], () => this.#data.putMemory(person, memory, most))
  }

  deleteMemory(person: string, scope: MemoryScope, name: string): Promise<boolean> {
    return this.#write([], () => this.#data.deleteMemory(person, scope, name))
  }

  keepBlob(stream: StreamId, hash: string, bytes: Uint8Array): Promise<void> {
    return this.#write([], () => {
      if (this.#data.get(stream) !== undefined) this.#data.blobs.keep(stream, hash, bytes)
    })
  }

  blob(hash: string): Promise<Uint8Array | undefined> {
    return this.#read(() => this.#data.blobs.get(hash))
  }

  attach(person: string, attachment: Attachment, bytes: Uint8Array): Promise<void> {
    return this.#write([], () => {
      this.#data.links.checkOwner(person)
      this.#data.blobs.attach(person, attachment, bytes)
    })
  }

  attachment(person: string, hash: string): Promise<Attachment | undefined> {
    return this.#read(() => this.#data.blobs.attachment(person, hash))
  }

  attachedBytes(person: string): Promise<number> {
    return this.#read(() => this.#data.blobs.attachedBytes(person))
  }

  attachments(person: string, page: Parameters<Blobs["attachments"]>[1]): Promise<readonly Attachment[]> {
    return this.#read(() => this.#data.blobs.page(person, page))
  }

  detach(person: string, hash: string): Promise<boolean> {
    return this.#write([], () => this.#data.blobs.detach(person, hash))
  }

  search(
    person: string,
    words: string,
    options: { readonly limit: number; readonly agent?: string; readonly now: Millis },
  ): Promise<readonly SearchHit[]> {
    return this.#data.search.find(person, words, options)
  }

  triggers(person: string, kinds: readonly TriggerKind[]): Promise<readonly TriggerRecord[]> {
    return this.#read(() => this.#data.triggers.ofPerson(person, kinds))
  }

  triggersOn(stream: StreamId, kind: TriggerKind): Promise<readonly TriggerRecord[]> {
    return this.#read(() => this.#data.triggers.on(stream, kind))
  }

  triggersById(kinds: readonly TriggerKind[], page: Parameters<Triggers["triggersById"]>[1]) {
    return this.#read(() => this.#data.triggers.byId(kinds, page))
  }

  trigger(id: string): Promise<TriggerRecord | undefined> {
    return this.#read(() => this.#data.triggers.get(id))
  }

  addTrigger(record: TriggerRecord, bounds: Parameters<Triggers["addTrigger"]>[1], audit?: AuditEntry) {
    return this.#write([], () => {
      if (record.stream !== null && this.#data.get(record.stream) === undefined) return "gone" as const
      this.#data.links.checkOwner(record.person)
      const added = this.#data.triggers.add(record, bounds)
      if (added === "added" && audit !== undefined) this.#data.audit.push(audit)
      return added
    })
  }

  changeTrigger(record: TriggerRecord, firings: readonly FiringRecord[] = []): Promise<boolean> {
    return this.#write([], () => this.#data.triggers.change(record, firings))
  }

  deleteTrigger(id: string, audit?: AuditEntry): Promise<boolean> {
    return this.#write([], () => {
      const deleted = this.#data.triggers.delete(id)
      if (deleted && audit !== undefined) this.#data.audit.push(audit)
      return deleted
    })
  }

  dueTriggers(kinds: readonly TriggerKind[], now: Millis, page: Parameters<Triggers["dueTriggers"]>[2]) {
    return this.#read(() => this.#data.triggers.due(kinds, now, page))
  }

  nextLook(kinds: readonly TriggerKind[]): Promise<Millis | undefined> {
    return this.#read(() => this.#data.triggers.nextLook(kinds))
  }

  firings(triggers: readonly string[], most: number): Promise<readonly FiringRecord[]> {
    return this.#read(() => this.#data.triggers.firings(triggers, most))
  }

  putFiring(firing: FiringRecord): Promise<void> {
    return this.#write([], () => this.#data.triggers.put(firing))
  }

  countSent(stream: StreamId, kind: TriggerKind, since: Millis): Promise<number> {
    return this.#read(() => this.#data.triggers.countSent(stream, kind, since))
  }

  dayTotal(person: string, day: string): Promise<DayTotal> {
    return this.#read(() => this.#data.ledger.dayTotal(person, day))
  }

  spending(person: string, page: Parameters<Ledger["spending"]>[1]): Promise<readonly Spending[]> {
    return this.#read(() => this.#data.ledger.lines(person, page))
  }

  stored(person: string): Promise<Stored> {
    return this.#read(() => this.#data.stored(person))
  }

  beginDeletion(person: string, audit: AuditEntry): Promise<"begun" | "running" | "nothing"> {
    return this.#write([], () => this.#data.beginDeletion(person, audit))
  }

  deletions(): Promise<readonly Deletion[]> {
    const marked = [...this.#data.links.deletions]
    return this.#read(() => marked.map(([person, doneAt]) => ({ person, isDone: doneAt !== undefined })))
  }

  streamsOf(person: string, limit: number): Promise<readonly Stream[]> {
    return this.#read(() =>
      this.#data
        .streamsOf(person)
        .slice(0, limit)
        .map((stream) => stream.snapshot()),
    )
  }

  deleteSlice(person: string): Promise<boolean> {
    return this.#write([], () => {
      this.#data.deleteRest(person)
      return true
    })
  }

  async endDeletions(lingerMs: Millis): Promise<void> {
    for (const [person, doneAt] of this.#data.links.deletions)
      if (doneAt !== undefined && doneAt <= this.#data.clock.now() - lingerMs) this.#data.links.deletions.delete(person)
  }

  /** Nothing here is older than the process. */
  async upkeep(): Promise<boolean> {
    return false
  }

  watch(
    _watched: () => readonly StreamId[],
    changed: (streams: readonly StreamId[]) => void,
    offered?: (streams: readonly StreamId[]) => void,
  ): () => void {
    return this.#bell.add({ node: this, changed, offered, delayMs: () => this.hooks.bellMs?.() ?? DEFAULT_BELL_MS })
  }

  offer(stream: StreamId): void {
    this.#bell.offer(stream, this.#from)
  }

  /** Others may continue with the same data; only this node's listeners are closed. */
  async close(): Promise<void> {
    if (!this.#hearsItself) this.#bell.leave(this)
  }

  async #write<T>(batch: readonly Append[], work: () => T): Promise<T> {
    const { latency, beforeCommit } = this.hooks
    if (latency) await latency()
    const fault = beforeCommit?.(batch)
    if (fault === "fail") throw new Fault("The store in memory failed before it wrote.")
    const result = work()
    if (latency) await latency()
    if (fault === "fail-after") throw new Fault("The store in memory failed after it had written.")
    return result
  }

  async #read<T>(work: () => T): Promise<T> {
    const result = work()
    if (this.hooks.readLatency) await this.hooks.readLatency()
    return result
  }

  #ring({ stream, feed }: Append): void {
    this.#bell.ring(stream, this.#from)
    if (feed && feed.changes.length > 0) this.#bell.ring(feed.stream, this.#from)
  }

  get #from(): MemoryStore | undefined {
    return this.#hearsItself ? undefined : this
  }
}

const DEFAULT_BELL_MS = 5
