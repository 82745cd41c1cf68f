/** Leases are compared with this process's clock: with SQLite there is only one process. */
import type { Stream } from "@parlor/core"
import type { StreamId } from "@parlor/protocol"
import { STREAM_COLUMNS, type StreamRow, toStream } from "../stream-row.ts"
import { type Database, transaction } from "./connect.ts"

export class LeaseReads {
  readonly db: Database
  readonly #orphans

  constructor(db: Database) {
    this.db = db
    this.#orphans = db.prepare(
      `SELECT ${STREAM_COLUMNS} FROM streams WHERE active = 1 AND (owner IS NULL OR lease_until <= ?)
       ORDER BY id LIMIT ?`,
    )
  }

  orphans(limit: number): Stream[] {
    return (this.#orphans.all(Date.now(), limit) as StreamRow[]).map(toStream)
  }
}

export class LeaseWrites {
  readonly db: Database
  readonly #renew

  constructor(db: Database) {
    this.db = db
    this.#renew = db.prepare("UPDATE streams SET lease_until = ? WHERE id = ? AND owner = ?")
  }

  /** An expired lease that nobody took still belongs to this owner: a takeover would have changed the owner. */
  renew(owner: string, streams: readonly StreamId[], ttlMs: number): StreamId[] {
    const until = Date.now() + ttlMs
    return transaction(this.db, () => streams.filter((stream) => this.#renew.run(until, stream, owner).changes === 0))
  }

  /** Only this process has the file open, so no earlier lease holder is alive. */
  voidAll(): void {
    this.db.exec("UPDATE streams SET owner = NULL, lease_until = 0 WHERE owner IS NOT NULL OR lease_until > 0")
  }
}
