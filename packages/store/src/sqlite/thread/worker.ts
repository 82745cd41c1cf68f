/**
 * The writer thread: the only one that writes. A commit waits for the disk here, while the main thread serves.
 *
 * One message in, one message out, in order. An error is answered and the thread continues: when the disk has space
 * again, the next write works.
 */
import { parentPort, workerData } from "node:worker_threads"
import { Appends } from "../append.ts"
import { BlobWrites } from "../blobs.ts"
import { Chores } from "../chores.ts"
import { connectWriter, type Database } from "../connect.ts"
import { DeletionWrites } from "../deletions.ts"
import { ImportWrites } from "../imports.ts"
import { KeyWrites } from "../keys.ts"
import { LeaseWrites } from "../leases.ts"
import { LinkWrites } from "../links.ts"
import { MemoryWrites } from "../memories.ts"
import { migrate } from "../migrations.ts"
import { SearchWrites } from "../search-index.ts"
import { SecretKeyWrites } from "../secret-key.ts"
import { Counting, StoredWrites } from "../stored.ts"
import { StreamWrites } from "../streams.ts"
import { TriggerWrites } from "../triggers.ts"
import { Upkeep } from "../upkeep.ts"
import { convertToVacuum } from "../vacuum.ts"
import {
  type Call,
  type Packed,
  packAnswers,
  READY,
  type Reply,
  toWireError,
  unpackBatch,
  type WorkerSettings,
} from "./wire.ts"

/** Owns the connection and everything prepared on it, for the life of the thread. */
class WriteSide {
  readonly #db: Database
  readonly #appends: Appends
  readonly #streams: StreamWrites
  readonly #imports: ImportWrites
  readonly #leases: LeaseWrites
  readonly #keys: KeyWrites
  readonly #links: LinkWrites
  readonly #memories: MemoryWrites
  readonly #blobs: BlobWrites
  readonly #triggers: TriggerWrites
  readonly #secretKey: SecretKeyWrites
  readonly #upkeep: Upkeep
  readonly #chores: Chores
  readonly #deletions: DeletionWrites
  /** What has to be written before anything else, and could not be yet: the disk was full at start (LOG-18). */
  #first: (() => void) | undefined

  constructor(settings: WorkerSettings) {
    this.#db = connectWriter(settings.path, settings.maxPages === undefined ? {} : { maxPages: settings.maxPages })
    migrate(this.#db)
    convertToVacuum(this.#db, settings.path)
    this.#upkeep = new Upkeep(this.#db)
    const search = new SearchWrites(this.#db)
    this.#blobs = new BlobWrites(this.#db)
    this.#memories = new MemoryWrites(this.#db, search)
    const stored = new StoredWrites(this.#db)
    this.#chores = new Chores(this.#db, new Counting(this.#db, stored))
    this.#appends = new Appends(this.#db, search, stored)
    this.#triggers = new TriggerWrites(this.#db)
    const held = { search, blobs: this.#blobs, triggers: this.#triggers }
    this.#streams = new StreamWrites(this.#db, this.#appends, held)
    const parts = { appends: this.#appends, streams: this.#streams, search, blobs: this.#blobs }
    this.#imports = new ImportWrites(this.#db, parts)
    this.#leases = new LeaseWrites(this.#db)
    this.#keys = new KeyWrites(this.#db)
    this.#secretKey = new SecretKeyWrites(this.#db)
    this.#deletions = new DeletionWrites(this.#db, { blobs: this.#blobs, memories: this.#memories })
    this.#links = new LinkWrites(this.#db, { streams: this.#streams, blobs: this.#blobs })
    this.#first = () => {
      this.#upkeep.begin()
      if (!settings.voidLeases) return
      this.#leases.voidAll()
      this.#blobs.dropStaged()
    }
    try {
      this.#begin()
    } catch (error) {
      if (!toWireError(error).outside) throw error
    }
  }

  /** Handles one message of the main thread. */
  take(call: Call): unknown {
    if (call[1] === "close") return this.#close()
    this.#begin()
    this.#upkeep.touch()
    return this.serve(call)
  }

  #begin(): void {
    this.#first?.()
    this.#first = undefined
  }

  #close(): void {
    try {
      this.#upkeep.close()
    } finally {
      this.#db.close()
    }
  }

  #adopt({ append: packed, ...rest }: Extract<Call, readonly [number, "adopt", unknown]>[2]): Packed {
    const [append] = unpackBatch(packed)
    return packAnswers(append === undefined ? [] : [this.#imports.adopt({ ...rest, append })])
  }

  serve(call: Exclude<Call, readonly [number, "close", unknown]>): unknown {
    switch (call[1]) {
      case "commit":
        return packAnswers(this.#appends.commit(unpackBatch(call[2])))
      case "ensure":
        return this.#streams.ensure(call[2])
      case "remove":
        return packAnswers(this.#streams.remove(call[2].stream, unpackBatch(call[2].feed), call[2].audit))
      case "adopt":
        return this.#adopt(call[2])
      case "dropImports":
        return this.#imports.drop()
      case "renew":
        return this.#leases.renew(call[2].owner, call[2].streams, call[2].ttlMs)
      case "addKey":
        return this.#keys.add(call[2].key, call[2].audit)
      case "revokeKey":
        return this.#keys.revoke(call[2].person, call[2].id, call[2].audit)
      case "link":
        return this.#links.link(call[2].record, call[2].options, call[2].audit)
      case "unlink":
        return this.#links.unlink(call[2].record, call[2].audit)
      case "putMemory":
        return this.#memories.put(call[2].person, call[2].memory, call[2].most)
      case "deleteMemory":
        return this.#memories.delete(call[2].person, call[2].scope, call[2].name)
      case "addTrigger":
        return this.#triggers.add(call[2].record, call[2].bounds, call[2].kept, call[2].audit)
      case "changeTrigger":
        return this.#triggers.change(call[2].record, call[2].firings, call[2].kept, call[2].erase)
      case "deleteTrigger":
        return this.#triggers.delete(call[2].id, call[2].audit)
      case "putFiring":
        return this.#triggers.put(call[2].firing, call[2].kept)
      case "setSecretKey":
        return this.#secretKey.set(call[2].id, call[2].before)
      case "holdBlob":
        return this.#blobs.hold(call[2])
      case "detach":
        return this.#blobs.detach(call[2].person, call[2].hash)
      case "stageBlob":
        return this.#blobs.stage()
      case "addPiece":
        return this.#blobs.addPiece(call[2].staged, call[2].n, call[2].data)
      case "unstageBlob":
        return this.#blobs.unstage(call[2])
      case "upkeep":
        return this.#chores.slice()
      case "beginDeletion":
        return this.#deletions.begin(call[2].person, call[2].audit)
      case "deleteSlice":
        return this.#deletions.slice(call[2])
      case "endDeletions":
        return this.#deletions.end(call[2])
    }
  }
}

function run(): void {
  const port = parentPort
  if (port === null) throw new Error("worker.ts runs as a worker thread only")
  const reply = (message: Reply) => port.postMessage(message)
  const settings = workerData as WorkerSettings
  let side: WriteSide
  try {
    side = new WriteSide(settings)
  } catch (error) {
    reply([READY, false, toWireError(error)])
    port.close()
    return
  }
  port.on("message", (call: Call) => {
    if (settings.doom !== undefined && Atomics.load(settings.doom, 0) !== 0) process.exit(1)
    try {
      reply([call[0], true, side.take(call)])
    } catch (error) {
      reply([call[0], false, toWireError(error)])
    }
    if (call[1] === "close") port.close()
  })
  reply([READY, true, undefined])
}

run()
