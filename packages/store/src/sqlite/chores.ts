/** Work done in small pieces between other calls: counts old logs, deletes expired idempotency keys. */
import { ONCE_MS, PRUNED_KEYS } from "../stored-row.ts"
import type { Database } from "./connect.ts"
import type { Counting } from "./stored.ts"

export class Chores {
  readonly #counting: Counting
  readonly #prune

  constructor(db: Database, counting: Counting) {
    this.#counting = counting
    this.#prune = db.prepare(
      "DELETE FROM once WHERE (stream, key) IN (SELECT stream, key FROM once WHERE at <= ? ORDER BY at LIMIT ?)",
    )
  }

  /** True if there is more to do. */
  upkeep(): boolean {
    if (this.#counting.slice()) return true
    return Number(this.#prune.run(Date.now() - ONCE_MS, PRUNED_KEYS).changes) === PRUNED_KEYS
  }
}
