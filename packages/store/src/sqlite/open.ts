/**
 * SQLite behind the port: this thread reads through its own connection, `worker.ts` writes.
 *
 * The driver's statements do not keep their database alive, and a garbage-collected database crashes. So one object
 * that lives as long as the store holds connection and statements.
 */
import { statfsSync } from "node:fs"
import { dirname, resolve } from "node:path"
import type {
  Adoption,
  Append,
  Appended,
  Attachment,
  AuditEntry,
  FiringRecord,
  KeyRecord,
  LinkRecord,
  LinksOf,
  Memory,
  MemoryScope,
  RowQuery,
  Store,
  Stream,
  StreamKey,
  TriggerKind,
  TriggerRecord,
} from "@parlor/core"
import { Fault, limits, type Millis, type StreamId } from "@parlor/protocol"
import { FolderLock } from "../folder-lock.ts"
import { privateFile, privateFolder } from "../private-files.ts"
import { type StreamRow, toStream } from "../stream-row.ts"
import { checkComplete } from "./complete.ts"
import { connectReader, type Database } from "./connect.ts"
import { DeletionReads } from "./deletions.ts"
import { EventReads } from "./events.ts"
import { guarded } from "./faults.ts"
import { KeyReads } from "./keys.ts"
import { LeaseReads } from "./leases.ts"
import { LedgerReads } from "./ledger.ts"
import { LinkReads } from "./links.ts"
import { MemoryReads } from "./memories.ts"
import { isMigrated } from "./migrations.ts"
import { RowReads } from "./rows.ts"
import { SecretKeyReads } from "./secret-key.ts"
import { StoredReads } from "./stored.ts"
import { StreamReads } from "./streams.ts"
import { BlobFlow } from "./thread/blob-flow.ts"
import { Channel } from "./thread/channel.ts"
import { packBatch } from "./thread/pack.ts"
import { ReadPace } from "./thread/read-pace.ts"
import { SearchThread } from "./thread/search-thread.ts"
import { type Packed, unpackAnswers } from "./thread/wire.ts"
import { TriggerReads } from "./triggers.ts"

const KEPT = { usual: limits.firings, refused: limits.firingsRefused }

export type SqliteOptions = {
  readonly path: string
  /** The maximum size of the database in pages: simulates a full disk, for tests. */
  readonly maxPages?: number
  /** Opens a database that lost its write-ahead log, without what was only in there (LOG-19). */
  readonly acceptMissingWal?: boolean
}

/** The space SQLite needs to share a database among threads. */
const ROOM_BYTES = 64 * 1024

export async function openSqlite(options: SqliteOptions): Promise<SqliteStore> {
  const path = resolve(options.path)
  privateFolder(dirname(path))
  const lock = new FolderLock(path)
  try {
    checkComplete(path, options)
    privateFile(path)
    const maxPages = options.maxPages === undefined ? {} : { maxPages: options.maxPages }
    const channel = await Channel.open({ path, voidLeases: true, ...maxPages })
    return new SqliteStore(lock, channel, connectReader(path), new SearchThread(path))
  } catch (error) {
    lock.release()
    throw error instanceof Fault && isFull(dirname(path)) ? fullDisk(dirname(path), error) : error
  }
}

function isFull(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize < ROOM_BYTES
}

function fullDisk(folder: string, cause: Fault): Fault {
  return new Fault(`The disk that holds ${folder} is full (${cause.message}). Free some space and start again.`, {
    cause,
  })
}

export class SqliteStore implements Store {
  readonly #lock: FolderLock
  readonly #channel: Channel
  readonly #db: Database
  readonly #pace = new ReadPace()
  readonly #streams: StreamReads
  readonly #rows: RowReads
  readonly #events: EventReads
  readonly #leases: LeaseReads
  readonly #keys: KeyReads
  readonly #links: LinkReads
  readonly #ledger: LedgerReads
  readonly #stored: StoredReads
  readonly #deletions: DeletionReads
  readonly #memories: MemoryReads
  readonly #blobs: BlobFlow
  readonly #search: SearchThread
  readonly #triggers: TriggerReads
  readonly #secretKey: SecretKeyReads

  constructor(lock: FolderLock, channel: Channel, db: Database, search: SearchThread) {
    this.#lock = lock
    this.#channel = channel
    this.#db = db
    this.#streams = new StreamReads(db)
    this.#rows = new RowReads(db, this.#streams)
    this.#events = new EventReads(db)
    this.#leases = new LeaseReads(db)
    this.#keys = new KeyReads(db)
    this.#links = new LinkReads(db)
    this.#ledger = new LedgerReads(db)
    this.#deletions = new DeletionReads(db)
    this.#stored = new StoredReads(db)
    this.#memories = new MemoryReads(db)
    this.#blobs = new BlobFlow(channel, db)
    this.#search = search
    this.#triggers = new TriggerReads(db)
    this.#secretKey = new SecretKeyReads(db)
  }

  find(key: StreamKey) {
    return this.#read(() => this.#streams.find(key))
  }

  async ensure(key: StreamKey): Promise<Stream> {
    return (await this.find(key)) ?? toStream(await this.#channel.call<StreamRow>("ensure", key))
  }

  async commit(batch: readonly Append[]): Promise<readonly Appended[]> {
    return unpackAnswers(await this.#channel.call<Packed>("commit", packBatch(batch)))
  }

  async remove(stream: StreamId, options: { readonly feed?: Append; readonly audit?: AuditEntry }) {
    const feed = packBatch(options.feed === undefined ? [] : [options.feed])
    return unpackAnswers(await this.#channel.call<Packed>("remove", { stream, feed, audit: options.audit }))[0]
  }

  async adopt(imported: StreamId, { append, ...rest }: Adoption): Promise<Appended> {
    const packed = { ...rest, imported, append: packBatch([append]) }
    const [answer] = unpackAnswers(await this.#channel.call<Packed>("adopt", packed))
    return answer ?? { ok: false, why: "gone" }
  }

  dropImports(): Promise<boolean> {
    return this.#channel.call("dropImports", undefined)
  }

  read(stream: StreamId, queries: readonly RowQuery[]) {
    return this.#read(() => this.#rows.read(stream, queries))
  }

  events(stream: StreamId, after: number, bounds: { readonly count: number; readonly bytes: number }) {
    return this.#read(() => this.#events.page(stream, after, bounds))
  }

  renew(owner: string, streams: readonly StreamId[], ttlMs: number): Promise<readonly StreamId[]> {
    return this.#channel.call("renew", { owner, streams, ttlMs })
  }

  probe() {
    return this.#read(() => ({ isMigrated: isMigrated(this.#db) }))
  }

  /** The machine's clock: with SQLite there is only one process. */
  async now(): Promise<Millis> {
    return Date.now()
  }

  orphans(limit: number) {
    return this.#read(() => this.#leases.orphans(limit))
  }

  keys(person: string) {
    return this.#read(() => this.#keys.ofPerson(person))
  }

  findKey(hash: string) {
    return this.#read(() => this.#keys.byHash(hash))
  }

  findKeys(hashes: readonly string[]) {
    return this.#read(() => this.#keys.byHashes(hashes))
  }

  addKey(key: KeyRecord, audit: AuditEntry): Promise<boolean> {
    return this.#channel.call("addKey", { key, audit })
  }

  revokeKey(person: string, id: string, audit: AuditEntry): Promise<readonly string[]> {
    return this.#channel.call("revokeKey", { person, id, audit })
  }

  links(of: LinksOf, page: Parameters<Store["links"]>[1]) {
    return this.#read(() => this.#links.of(of, page))
  }

  linksOf(names: readonly string[]) {
    return this.#read(() => this.#links.named(names))
  }

  link(record: LinkRecord, options: Parameters<Store["link"]>[1], audit: AuditEntry): ReturnType<Store["link"]> {
    return this.#channel.call("link", { record, options, audit })
  }

  unlink(record: Pick<LinkRecord, "name" | "person">, audit: AuditEntry): Promise<boolean> {
    return this.#channel.call("unlink", { record, audit })
  }

  memoryIndex(person: string) {
    return this.#read(() => this.#memories.index(person))
  }

  memory(person: string, scope: MemoryScope, name: string) {
    return this.#read(() => this.#memories.one(person, scope, name))
  }

  memories(person: string, options: { readonly pinned?: true } = {}) {
    return this.#read(() => this.#memories.all(person, options))
  }

  putMemory(person: string, memory: Memory, most: number): Promise<boolean> {
    return this.#memories.written(this.#channel.call("putMemory", { person, memory, most }))
  }

  deleteMemory(person: string, scope: MemoryScope, name: string): Promise<boolean> {
    return this.#memories.written(this.#channel.call("deleteMemory", { person, scope, name }))
  }

  keepBlob(stream: StreamId, hash: string, bytes: Uint8Array): Promise<void> {
    return this.#blobs.keep({ stream }, hash, bytes)
  }

  blob(hash: string) {
    return this.#blobs.read(hash)
  }

  attach(person: string, { hash, ...attachment }: Attachment, bytes: Uint8Array): Promise<void> {
    return this.#blobs.keep({ person, attachment }, hash, bytes)
  }

  attachment(person: string, hash: string) {
    return this.#read(() => this.#blobs.reads.attachment(person, hash))
  }

  attachedBytes(person: string) {
    return this.#read(() => this.#blobs.reads.attachedBytes(person))
  }

  attachments(person: string, page: Parameters<Store["attachments"]>[1]) {
    return this.#read(() => this.#blobs.reads.attachments(person, page))
  }

  detach(person: string, hash: string): Promise<boolean> {
    return this.#channel.call("detach", { person, hash })
  }

  search(person: string, words: string, options: Parameters<Store["search"]>[2]) {
    return this.#search.search({ person, words, options })
  }

  triggers(person: string, kinds: readonly TriggerKind[]) {
    return this.#read(() => this.#triggers.ofPerson(person, kinds))
  }

  triggersOn(stream: StreamId, kind: TriggerKind) {
    return this.#read(() => this.#triggers.on(stream, kind))
  }

  triggersById(kinds: readonly TriggerKind[], page: Parameters<Store["triggersById"]>[1]) {
    return this.#read(() => this.#triggers.byId(kinds, page))
  }

  trigger(id: string) {
    return this.#read(() => this.#triggers.one(id))
  }

  addTrigger(
    record: TriggerRecord,
    bounds: Parameters<Store["addTrigger"]>[1],
    audit?: AuditEntry,
  ): ReturnType<Store["addTrigger"]> {
    return this.#channel.call("addTrigger", { record, bounds, kept: KEPT, audit })
  }

  changeTrigger(
    record: TriggerRecord,
    firings: readonly FiringRecord[] = [],
    { erase = false }: { readonly erase?: boolean } = {},
  ): Promise<boolean> {
    return this.#channel.call("changeTrigger", { record, firings, kept: KEPT, erase })
  }

  deleteTrigger(id: string, audit?: AuditEntry): Promise<boolean> {
    return this.#channel.call("deleteTrigger", { id, audit })
  }

  dueTriggers(kinds: readonly TriggerKind[], now: number, page: Parameters<Store["dueTriggers"]>[2]) {
    return this.#read(() => this.#triggers.due(kinds, now, page))
  }

  nextLook(kinds: readonly TriggerKind[]) {
    return this.#read(() => this.#triggers.next(kinds))
  }

  firings(triggers: readonly string[], most: number) {
    return this.#read(() => this.#triggers.firings(triggers, most))
  }

  putFiring(firing: FiringRecord): Promise<void> {
    return this.#channel.call("putFiring", { firing, kept: KEPT })
  }

  countSent(stream: StreamId, kind: TriggerKind, since: number) {
    return this.#read(() => this.#triggers.countSent(stream, kind, since))
  }

  secretKey() {
    return this.#read(() => this.#secretKey.get())
  }

  setSecretKey(id: string, before: string | undefined): Promise<boolean> {
    return this.#channel.call("setSecretKey", { id, before })
  }

  dayTotal(person: string, day: string) {
    return this.#read(() => this.#ledger.dayTotal(person, day))
  }

  spending(person: string, page: Parameters<Store["spending"]>[1]) {
    return this.#read(() => this.#ledger.lines(person, page))
  }

  stored(person: string) {
    return this.#read(() => this.#stored.of(person))
  }

  upkeep(): Promise<boolean> {
    return this.#channel.call("upkeep", undefined)
  }

  beginDeletion(person: string, audit: AuditEntry): ReturnType<Store["beginDeletion"]> {
    return this.#channel.call("beginDeletion", { person, audit })
  }

  deletions() {
    return this.#read(() => this.#deletions.all())
  }

  streamsOf(person: string, limit: number) {
    return this.#read(() => this.#deletions.streams(person, limit))
  }

  deleteSlice(person: string): Promise<boolean> {
    return this.#memories.written(this.#channel.call("deleteSlice", person))
  }

  endDeletions(lingerMs: Millis): Promise<void> {
    return this.#channel.call("endDeletions", lingerMs)
  }

  async close(): Promise<void> {
    await this.#search.close()
    await this.#channel.close()
    if (this.#db.isOpen) this.#db.close()
    this.#lock.release()
  }

  #read<T>(work: () => T): Promise<T> {
    return this.#pace.run(() => {
      if (!this.#db.isOpen) return Promise.reject(new Fault("The store is closed.", { code: "server.stopping" }))
      return guarded(work)
    })
  }

  /** Ends the writer thread as a crash would. For tests. */
  crashWriter(): Promise<void> {
    return this.#channel.crash()
  }

  /** The same for the search thread. */
  crashSearch(): Promise<void> {
    return this.#search.crash()
  }
}
