/** Everything the nodes of a simulation share: streams, keys and the clock for leases. */
import { Bug, Refusal, type StreamId } from "@parlor/protocol"
import type { Clock } from "../ports/clock.ts"
import type { Belongings, Linked, LinkRecord } from "../ports/links.ts"
import type { Memory, MemoryScope } from "../ports/memories.ts"
import type { PreferenceRecord } from "../ports/preferences.ts"
import type { ProviderRecord } from "../ports/providers.ts"
import type { PushKeysRecord, PushRecord } from "../ports/pushes.ts"
import type { Adoption, Append, Appended, AuditEntry, KeyRecord, StreamKey, Trimmed } from "../ports/store.ts"
import type { Stored, StoredPerson } from "../ports/usage.ts"
import { MemoryBlobs } from "./memory-blobs.ts"
import { MemoryLedger } from "./memory-ledger.ts"
import { MemoryLinks } from "./memory-links.ts"
import { MemoryMemories } from "./memory-memories.ts"
import { utf8Length } from "./memory-rows.ts"
import { MemorySearch } from "./memory-search.ts"
import { MemoryShares } from "./memory-shares.ts"
import { MemoryStream, messageOf } from "./memory-stream.ts"
import { MemoryTriggers } from "./memory-triggers.ts"

export class MemoryDatabase {
  readonly clock: Clock
  readonly audit: AuditEntry[] = []
  readonly keys = new Map<string, KeyRecord>()
  secretKey: string | undefined
  readonly providers = new Map<string, ProviderRecord>()
  providersVersion = 0
  readonly memories = new MemoryMemories()
  readonly blobs = new MemoryBlobs()
  readonly search = new MemorySearch()
  readonly triggers = new MemoryTriggers()
  readonly links = new MemoryLinks()
  readonly ledger = new MemoryLedger()
  readonly shares = new MemoryShares()
  readonly preferences = new Map<string, PreferenceRecord>()
  /** By id. */
  readonly pushes = new Map<string, PushRecord>()
  pushKeys: PushKeysRecord | undefined
  readonly #streams = new Map<StreamId, MemoryStream>()
  readonly #byKey = new Map<string, MemoryStream>()
  #lastId = 0

  constructor(clock: Clock) {
    this.clock = clock
  }

  get(id: StreamId): MemoryStream | undefined {
    return this.#streams.get(id)
  }

  find(key: StreamKey): MemoryStream | undefined {
    return this.#byKey.get(nameOf(key))
  }

  ensure(key: StreamKey): MemoryStream {
    const known = this.find(key)
    if (known !== undefined) return known
    this.links.checkOwner(key.person)
    this.#lastId += 1
    const stream = new MemoryStream(this.#lastId as StreamId, key)
    this.#put(stream)
    return stream
  }

  /** Atomic: nothing awaits, and everything that could throw is checked before the first write. */
  commit(batch: readonly Append[]): Appended[] {
    for (const append of batch) checkKeys(append)
    return batch.map((append) => this.#append(append))
  }

  /** False if there is no such stream. A rejected feed append undoes the removal. */
  remove(
    id: StreamId,
    feed: Append | undefined,
    audit: AuditEntry | undefined,
  ): { found: boolean; answer: Appended | undefined } {
    const stream = this.get(id)
    if (stream === undefined) return { found: false, answer: undefined }
    if (feed !== undefined) checkKeys(feed)
    this.#streams.delete(id)
    this.#byKey.delete(nameOf(stream.key))
    const answer = feed && this.#append(feed)
    if (answer?.ok === false) {
      this.#put(stream)
      return { found: true, answer }
    }
    const told = feed && this.get(feed.stream)
    for (const change of feed?.changes ?? []) if (change.operation === "delete") told?.blank(change)
    this.blobs.release(id)
    this.search.release(id)
    this.triggers.release(id)
    this.shares.release(id)
    if (audit !== undefined) this.audit.push(audit)
    return { found: true, answer }
  }

  adopt(id: StreamId, { over: seen, append, attachments }: Adoption): Appended {
    const over = this.get(seen.id)
    const imported = this.get(id)
    if (over?.key.kind !== "conversation" || imported?.key.kind !== "import") return { ok: false, why: "gone" }
    const known = over.known(append.once, this.clock.now())
    if (known !== undefined) return known
    const { head, control } = over.snapshot()
    if (head !== seen.head || control !== seen.control) return { ok: false, why: "moved" }
    const answer = this.#append(append)
    if (!answer.ok) return answer
    this.#byKey.delete(nameOf(imported.key))
    this.#drop(over)
    imported.adopt(over)
    this.#put(imported)
    this.search.adopt(imported)
    this.triggers.move(over.id, id)
    this.shares.move(over.id, id)
    for (const { held, ...attachment } of attachments) this.blobs.hand(id, imported.key.person, attachment, held)
    return answer
  }

  /** False if there was nothing to delete. */
  dropImport(): boolean {
    const now = this.clock.now()
    const found = [...this.#streams.values()].find((stream) => stream.isAbandoned(now))
    if (found !== undefined) this.#drop(found)
    return found !== undefined
  }

  trim(graceMs: number): Trimmed {
    const now = this.clock.now()
    const found = [...this.#streams.values()].find((stream) => stream.isDue(now - graceMs))
    if (found === undefined) return { events: 0, bytes: 0, more: false }
    const { person, kind } = found.key
    const notices = this.triggers.ofPerson(person, ["notice"]).map(({ value }) => (JSON.parse(value) as Told).upTo)
    return { ...found.trim(now, kind === "feed" ? notices : []), more: true }
  }

  renew(owner: string, ids: readonly StreamId[], ttlMs: number): StreamId[] {
    const until = this.clock.now() + ttlMs
    return ids.filter((id) => !this.get(id)?.renew(owner, until))
  }

  orphans(limit: number): MemoryStream[] {
    const now = this.clock.now()
    const orphans = [...this.#streams.values()].filter((stream) => stream.isOrphan(now))
    return orphans.sort((a, b) => a.id - b.id).slice(0, limit)
  }

  addKey(key: KeyRecord, audit: AuditEntry): boolean {
    const clash = [...this.keys.values()].some((known) => known.id === key.id || known.hash === key.hash)
    if (clash) throw new Bug("there is such a key already")
    this.links.checkOwner(key.person)
    if (key.madeBy !== null && this.keys.get(key.madeBy)?.revokedAt !== null) return false
    this.keys.set(key.id, key)
    this.audit.push(audit)
    return true
  }

  /** A key that was already revoked keeps its first date. */
  revokeKey(person: string, id: string, audit: AuditEntry): readonly string[] {
    const key = this.keys.get(id)
    if (key === undefined || key.person !== person) return []
    const ended = [key]
    for (const maker of ended) ended.push(...[...this.keys.values()].filter(({ madeBy }) => madeBy === maker.id))
    for (const one of ended) {
      if (one.revokedAt === null || one === key)
        this.audit.push({ ...audit, subject: one === key ? audit.subject : one.id })
      this.keys.set(one.id, { ...one, revokedAt: one.revokedAt ?? audit.at })
    }
    return ended.map((one) => one.id)
  }

  putMemory(person: string, memory: Memory, most: number): boolean {
    if (memory.scope === "user") this.links.checkOwner(person)
    if (!this.memories.put(person, memory, most)) return false
    this.search.memory(person, memory)
    return true
  }

  deleteMemory(person: string, scope: MemoryScope, name: string): boolean {
    this.search.deleteMemory(person, scope, name)
    return this.memories.delete(person, scope, name)
  }

  beginDeletion(person: string, audit: AuditEntry): "begun" | "running" | "nothing" {
    if (this.links.deletions.has(person)) return "running"
    const has = Object.values(this.#belongings(person)).some((count) => count > 0)
    const isLinked = this.links.of({ person }, { after: "", limit: 1 }).length > 0
    const isKey = [...this.keys.values()].some((key) => key.person === person)
    const hasSet = this.preferences.has(person) || [...this.pushes.values()].some((push) => push.person === person)
    if (!has && !isLinked && !isKey && !hasSet && this.streamsOf(person).length === 0) return "nothing"
    this.links.deletions.set(person, undefined)
    this.audit.push(audit)
    return "begun"
  }

  /** Whether somebody of that name has anything here. */
  isKnown(person: string): boolean {
    return this.streamsOf(person).length > 0 || [...this.keys.values()].some((key) => key.person === person)
  }

  streamsOf(person: string): MemoryStream[] {
    const own = [...this.#streams.values()].filter(({ key }) => key.person === person)
    return own.sort((a, b) => Number(a.key.kind === "feed") - Number(b.key.kind === "feed") || a.id - b.id)
  }

  deleteRest(person: string): void {
    this.blobs.dropAttachments(person)
    for (const { scope, name } of this.memories.list(person))
      if (scope === "user") this.deleteMemory(person, scope, name)
    this.triggers.dropPerson(person)
    this.shares.dropPerson(person)
    this.preferences.delete(person)
    for (const push of [...this.pushes.values()]) if (push.person === person) this.pushes.delete(push.id)
    for (const key of [...this.keys.values()]) if (key.person === person) this.keys.delete(key.id)
    this.links.dropPerson(person)
    this.ledger.dropPerson(person)
    for (const [at, line] of this.audit.entries()) {
      const isOwn = line.person === person && line.act !== "person.deleted"
      const isAbout = line.act.startsWith("name.") && line.subject.includes(JSON.stringify(person))
      if (isOwn) this.audit[at] = { ...line, person: "", subject: "" }
      else if (isAbout) this.audit[at] = { ...line, subject: "" }
    }
    this.links.deletions.set(person, this.clock.now())
  }

  link(record: LinkRecord, options: { most: number; dropAttachments: boolean }, audit: AuditEntry): Linked {
    const { name } = record
    for (const one of [name, record.person])
      if (this.links.deletions.has(one)) throw new Refusal("person.deleting", `${one} is being deleted.`)
    const has = this.#belongings(name)
    const counted = options.dropAttachments ? { ...has, attachments: 0 } : has
    const refusal = this.links.refusal(record, options.most, counted)
    if (refusal !== undefined) return refusal
    for (const stream of [...this.#streams.values()])
      if (stream.key.kind === "conversation" && stream.key.person === name) this.#drop(stream)
    this.blobs.dropAttachments(name)
    this.links.add(record)
    this.audit.push(audit)
    return { ok: true, link: record }
  }

  /** Counted from what is there: the counts that the other stores keep have to match. */
  stored(person: string): Stored {
    const own = [...this.#streams.values()].filter(({ key }) => key.kind !== "feed" && key.person === person)
    const memories = this.memories.list(person).filter(({ scope }) => scope === "user")
    const length = (texts: readonly string[]) => texts.reduce((sum, text) => sum + utf8Length(text), 0)
    return {
      conversations: own.filter(({ head, key }) => head > 0 && key.kind === "conversation").length,
      conversationBytes: own.reduce((sum, { bytes }) => sum + bytes, 0),
      fileBytes: this.blobs.heldBytes(person, new Set(own.map(({ id }) => id))),
      files: own.reduce((sum, { files }) => sum + files, this.blobs.attachmentsOf(person).length),
      memoryBytes: length(memories.flatMap(({ name, description, body }) => [name, description, body])),
      triggerBytes: length(this.triggers.valuesOf(person)),
    }
  }

  people({ after, limit }: { readonly after: string; readonly limit: number }): StoredPerson[] {
    const names = new Set([...this.#streams.values()].map(({ key }) => key.person))
    const next = [...names].filter((person) => person > after).sort()
    return next.map((person) => ({ person, ...this.stored(person) })).slice(0, limit)
  }

  #belongings(person: string): Belongings {
    const streams = [...this.#streams.values()].filter(
      ({ key }) => key.person === person && key.kind === "conversation",
    )
    const keys = [...this.keys.values()].filter((key) => key.person === person && key.revokedAt === null)
    return {
      conversations: streams.filter(({ head }) => head > 0).length,
      memories: this.memories.list(person).filter(({ scope }) => scope === "user").length,
      triggers: this.triggers.ofPerson(person, ["schedule", "wakeup", "hook", "notice"]).length,
      keys: keys.length,
      attachments: this.blobs.attachmentsOf(person).length,
    }
  }

  #drop(stream: MemoryStream): void {
    this.#streams.delete(stream.id)
    this.#byKey.delete(nameOf(stream.key))
    this.blobs.release(stream.id)
    this.search.release(stream.id)
  }

  #append(append: Append): Appended {
    const stream = this.get(append.stream)
    const feed = append.feed && this.get(append.feed.stream)
    if (stream === undefined || (append.feed && feed === undefined)) return { ok: false, why: "gone" }
    const now = this.clock.now()
    const refused = stream.refuse(append, feed?.head ?? 0, now)
    if (refused !== undefined) return refused
    stream.write(append.changes, append, now)
    for (const change of append.changes) this.search.row(stream, change, append.at)
    stream.settle(append, now)
    if (append.feed && feed) feed.write(append.feed.changes, append, now)
    for (const line of append.spent ?? []) this.ledger.add(line)
    return stream.answer(feed?.head ?? 0, false)
  }

  #put(stream: MemoryStream): void {
    this.#streams.set(stream.id, stream)
    this.#byKey.set(nameOf(stream.key), stream)
  }
}

type Told = { readonly upTo: number }

function nameOf(key: StreamKey): string {
  return JSON.stringify(key.kind === "feed" ? [key.kind, key.person] : [key.kind, key.agent, key.person, key.branch])
}

function checkKeys({ changes, feed }: Append): void {
  for (const change of changes) if (change.collection === "deltas") messageOf(change.key)
  for (const change of feed?.changes ?? []) if (change.collection === "deltas") messageOf(change.key)
}
