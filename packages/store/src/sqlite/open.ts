/**
 * SQLite behind the port: this thread reads through its own connection, `worker.ts` writes.
 *
 * The driver's statements do not keep their database alive, and a garbage-collected database crashes. So one object
 * that lives as long as the store holds connection and statements.
 */
import { statfsSync } from "node:fs"
import { dirname, resolve } from "node:path"
import type {
  Blobs,
  Deletions,
  EventLog,
  Keys,
  Links,
  Memories,
  PersonPreferences,
  Providers,
  Pushes,
  Search,
  Shares,
  Store,
  Triggers,
  UsageCounts,
} from "@parlor/core"
import { Fault, limits, type Millis } from "@parlor/protocol"
import { FolderLock } from "../folder-lock.ts"
import { privateFile, privateFolder } from "../private-files.ts"
import { connectReader, type Database } from "./connect.ts"
import { DeletionReads, DeletionWrites } from "./deletions.ts"
import { checkComplete } from "./file/complete.ts"
import { KeyReads, KeyWrites, SecretKeyReads, SecretKeyWrites } from "./keys.ts"
import { LinkReads, LinkWrites } from "./links.ts"
import { MemoryReads, MemoryWrites } from "./memories.ts"
import { isMigrated } from "./migrations.ts"
import { PreferenceReads, PreferenceWrites } from "./preferences.ts"
import { ProviderReads, ProviderWrites } from "./providers.ts"
import { PushReads, PushWrites } from "./pushes.ts"
import { ShareReads, ShareWrites } from "./shares.ts"
import { blobPart } from "./thread/blob-flow.ts"
import { Channel } from "./thread/channel.ts"
import { guarded } from "./thread/faults.ts"
import { logPart } from "./thread/log.ts"
import { type RunRead, readPart, writePart } from "./thread/part.ts"
import { ReadPace } from "./thread/read-pace.ts"
import { SearchThread } from "./thread/search-thread.ts"
import { TriggerReads, TriggerWrites } from "./triggers.ts"
import { Chores, UsageReads } from "./usage.ts"

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
    const channel = await Channel.open({ path, voidLeases: true, kept: KEPT, ...maxPages })
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
  readonly log: EventLog
  readonly keys: Keys
  readonly links: Links
  readonly shares: Shares
  readonly preferences: PersonPreferences
  readonly memories: Memories
  readonly blobs: Blobs
  readonly triggers: Triggers
  readonly search: Search
  readonly usage: UsageCounts
  readonly deletions: Deletions
  readonly providers: Providers
  readonly pushes: Pushes
  readonly secretKey: Store["secretKey"]
  readonly setSecretKey: Store["setSecretKey"]
  readonly upkeep: Store["upkeep"]
  readonly #lock: FolderLock
  readonly #channel: Channel
  readonly #db: Database
  readonly #searches: SearchThread
  readonly #run: RunRead

  constructor(lock: FolderLock, channel: Channel, db: Database, searches: SearchThread) {
    this.#lock = lock
    this.#channel = channel
    this.#db = db
    this.#searches = searches
    const run = readsOn(db)
    this.#run = run
    const memories = new MemoryReads(db)
    const forget = () => memories.forget()
    this.log = logPart(db, run, channel)
    this.keys = { ...readPart(new KeyReads(db), run), ...writePart(channel, "keys", KeyWrites) }
    this.links = { ...readPart(new LinkReads(db), run), ...writePart(channel, "links", LinkWrites) }
    this.preferences = {
      ...readPart(new PreferenceReads(db), run),
      ...writePart(channel, "preferences", PreferenceWrites),
    }
    this.shares = { ...readPart(new ShareReads(db), run), ...writePart(channel, "shares", ShareWrites) }
    this.memories = { ...readPart(memories, run), ...writePart(channel, "memories", MemoryWrites, forget) }
    this.blobs = blobPart(db, run, channel)
    this.triggers = { ...readPart(new TriggerReads(db), run), ...writePart(channel, "triggers", TriggerWrites) }
    this.search = searches
    this.usage = readPart(new UsageReads(db), run)
    this.deletions = {
      ...readPart(new DeletionReads(db), run),
      ...writePart(channel, "deletions", DeletionWrites, forget),
    }
    this.providers = { ...readPart(new ProviderReads(db), run), ...writePart(channel, "providers", ProviderWrites) }
    this.pushes = { ...readPart(new PushReads(db), run), ...writePart(channel, "pushes", PushWrites) }
    this.secretKey = readPart(new SecretKeyReads(db), run).secretKey
    this.setSecretKey = writePart(channel, "secretKey", SecretKeyWrites).setSecretKey
    this.upkeep = writePart(channel, "chores", Chores).upkeep
  }

  probe() {
    return this.#run(() => ({ isMigrated: isMigrated(this.#db) }))
  }

  /** The machine's clock: with SQLite there is only one process. */
  async now(): Promise<Millis> {
    return Date.now()
  }

  async close(): Promise<void> {
    await this.#searches.close()
    await this.#channel.close()
    if (this.#db.isOpen) this.#db.close()
    this.#lock.release()
  }

  /** Ends the writer thread as a crash would. For tests. */
  crashWriter(): Promise<void> {
    return this.#channel.crash()
  }

  /** The same for the search thread. */
  crashSearch(): Promise<void> {
    return this.#searches.crash()
  }
}

/** Reads of one connection, each when it is its turn. */
function readsOn(db: Database): RunRead {
  const pace = new ReadPace()
  return (read) =>
    pace.run(() => {
      if (!db.isOpen) return Promise.reject(new Fault("The store is closed.", { code: "server.stopping" }))
      return guarded(read)
    })
}
