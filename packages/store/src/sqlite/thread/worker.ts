/**
 * The writer thread: the only one that writes. A commit waits for the disk here, while the main thread serves.
 *
 * One message in, one message out, in order. An error is answered and the thread continues: when the disk has space
 * again, the next write works.
 */
import { parentPort, workerData } from "node:worker_threads"
import { connectWriter, type Database } from "../connect.ts"
import { Upkeep } from "../file/upkeep.ts"
import { convertToVacuum } from "../file/vacuum.ts"
import { isOlderThanSearch, migrate } from "../migrations.ts"
import { type Call, CLOSE, READY, type Reply, toWireError, type WorkerSettings } from "./calls.ts"
import { createWriteParts, type WriteParts } from "./write-parts.ts"

/** Owns the connection and everything prepared on it, for the life of the thread. */
class WriteSide {
  readonly #db: Database
  readonly #parts: WriteParts
  readonly #upkeep: Upkeep
  /** What has to be written before anything else, and could not be yet: the disk was full at start (LOG-18). */
  #first: (() => void) | undefined

  static async open(settings: WorkerSettings): Promise<WriteSide> {
    const db = connectWriter(settings.path, settings.maxPages === undefined ? {} : { maxPages: settings.maxPages })
    const old = isOlderThanSearch(db) ? await import("../file/old-messages.ts") : undefined
    migrate(db, old?.indexOldMessages)
    return new WriteSide(db, settings)
  }

  private constructor(db: Database, settings: WorkerSettings) {
    this.#db = db
    convertToVacuum(this.#db, settings.path)
    this.#upkeep = new Upkeep(this.#db)
    this.#parts = createWriteParts(this.#db, settings.kept)
    this.#first = () => {
      this.#upkeep.begin()
      if (!settings.voidLeases) return
      this.#parts.log.voidLeases()
      this.#parts.blobs.dropStaged()
    }
    try {
      this.#begin()
    } catch (error) {
      if (!toWireError(error).outside) throw error
    }
  }

  /** Handles one message of the main thread. */
  take([, part, method, args]: Call): unknown {
    if (part === CLOSE) return this.#close()
    this.#begin()
    this.#upkeep.touch()
    const writes: object = this.#parts[part]
    return (Reflect.get(writes, method) as (...args: readonly unknown[]) => unknown).apply(writes, [...args])
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
}

async function run(): Promise<void> {
  const port = parentPort
  if (port === null) throw new Error("worker.ts runs as a worker thread only")
  const reply = (message: Reply) => port.postMessage(message)
  const settings = workerData as WorkerSettings
  let side: WriteSide
  try {
    side = await WriteSide.open(settings)
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
    if (call[1] === CLOSE) port.close()
  })
  reply([READY, true, undefined])
}

await run()
