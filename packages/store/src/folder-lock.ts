/**
 * Keeps a second process away from the same folder: both would own the same conversations.
 *
 * A small database next to it is locked for as long as this process lives. The operating system releases the lock when
 * the process ends, however it ends, so nothing stale is left behind.
 */
import { dirname } from "node:path"
import { Fault } from "@parlor/protocol"
import { DatabaseSync } from "@photostructure/sqlite"
import { privateFile } from "./private-files.ts"
import type { Database } from "./sqlite/connect.ts"
import { toWireError } from "./sqlite/thread/calls.ts"
import { fromWireError } from "./sqlite/thread/faults.ts"

const SQLITE_BUSY = 5

export class FolderLock {
  readonly #db: Database

  constructor(path: string) {
    try {
      privateFile(`${path}.lock`)
      this.#db = new DatabaseSync(`${path}.lock`, { timeout: 0 })
    } catch (error) {
      throw fromWireError(toWireError(error))
    }
    try {
      // A journal on disk would need space, and a full disk must not prevent the start (LOG-18).
      this.#db.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE")
    } catch (error) {
      this.#db.close()
      if (!isBusy(error)) throw fromWireError(toWireError(error))
      throw new Fault(`Another Parlor is using the folder ${dirname(path)}. Stop it first, or use another folder.`)
    }
  }

  release(): void {
    if (this.#db.isOpen) this.#db.close()
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY
}
