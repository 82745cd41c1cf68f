/**
 * What the writer thread does besides writing: checkpoints, the mark that says whether the file alone is complete
 * (LOG-19), and returning free pages to the disk (LOG-24).
 *
 *   begin ──▶ file: needed, log: here ──some writes──▶ look ──long log──▶ checkpoint ──▶ file: needed, log: here
 *                                                       └──free pages──▶ a slice, and the next one soon
 *   close ──▶ file: here, log: empty
 *
 * All of it happens between two calls, never within one. Errors are ignored: what could not be done now is done the
 * next time.
 */

import { type Database, unhurried } from "../connect.ts"
import { WAL_HERE, WAL_NEEDED, WAL_ROW } from "./complete.ts"

/** The log is copied into the file at this length: a longer one would delay a write for longer (LOG-28). */
const CHECKPOINT_FRAMES = 1_000
const LOOK_MS = 250
/** Free pages kept for later writes. */
const FREE_KEPT = 256
/** Pages freed at a time: takes a few milliseconds. */
const SLICE_PAGES = 64
const SLICE_PAUSE_MS = 10

export class Upkeep {
  readonly #db: Database
  readonly #mark
  readonly #noop
  readonly #free
  #timer: NodeJS.Timeout | undefined
  #freed = false
  #marked: typeof WAL_NEEDED | typeof WAL_HERE = WAL_HERE

  constructor(db: Database) {
    this.#db = db
    this.#mark = db.prepare("INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value")
    this.#noop = db.prepare("PRAGMA wal_checkpoint(NOOP)")
    this.#free = db.prepare("PRAGMA freelist_count")
  }

  /** Before anything is written. */
  begin(): void {
    this.#checkpoint("TRUNCATE")
    this.touch()
  }

  /** After something was written. */
  touch(): void {
    this.#timer ??= setTimeout(() => this.#look(), LOOK_MS)
  }

  close(): void {
    clearTimeout(this.#timer)
    if (this.#marked === WAL_NEEDED) {
      // Not truncated yet: on a full disk the log's space is all there is.
      this.#db.exec("PRAGMA wal_checkpoint(PASSIVE)")
      this.#say(WAL_HERE)
    }
    this.#db.exec("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  #look(): void {
    this.#timer = undefined
    try {
      if (this.#frames >= CHECKPOINT_FRAMES) this.#checkpoint("PASSIVE")
      if (this.#freePages > FREE_KEPT) this.#freeSlice()
      else if (this.#freed) {
        this.#freed = false
        // The file shrinks with the checkpoint.
        this.#checkpoint("PASSIVE")
      }
    } catch {
      // A full disk, or a reader in the way.
    }
  }

  #freeSlice(): void {
    const before = this.#freePages
    unhurried(this.#db, () => this.#db.exec(`PRAGMA incremental_vacuum(${SLICE_PAGES})`))
    // A database that is not set up for it stays as it is.
    if (this.#freePages >= before) return
    this.#freed = true
    this.#timer ??= setTimeout(() => this.#look(), SLICE_PAUSE_MS)
  }

  #checkpoint(mode: "PASSIVE" | "TRUNCATE"): void {
    let problem: unknown
    try {
      this.#say(WAL_NEEDED)
    } catch (error) {
      // A full disk. The checkpoint makes room in the log anyway.
      problem = error
    }
    try {
      this.#db.exec(`PRAGMA wal_checkpoint(${mode})`)
    } finally {
      if (this.#marked === WAL_NEEDED) this.#say(WAL_HERE)
    }
    if (problem !== undefined) throw problem
  }

  /** Durable with the checkpoint, or with the next write. */
  #say(mark: typeof WAL_NEEDED | typeof WAL_HERE): void {
    unhurried(this.#db, () => this.#mark.run(WAL_ROW, mark))
    this.#marked = mark
  }

  get #frames(): number {
    return Number((this.#noop.get() as { readonly log: number } | undefined)?.log ?? 0)
  }

  get #freePages(): number {
    return Number((this.#free.get() as { readonly freelist_count: number } | undefined)?.freelist_count ?? 0)
  }
}
