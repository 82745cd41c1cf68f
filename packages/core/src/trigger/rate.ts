/**
 * So many a minute, with a minute's worth at once. Pure but for what it counts, which is kept in this process: of several
 * processes each lets its own share through.
 */
import type { Millis } from "@parlor/protocol"

const MINUTE_MS = 60_000
/** Those that were not used for longest are forgotten: a full bucket is as good as none. */
const MAX_KNOWN = 10_000

export class Rates {
  readonly #buckets = new Map<string, { readonly left: number; readonly at: Millis }>()

  /** Whether one more may pass now. */
  take(key: string, perMinute: number, now: Millis): boolean {
    const known = this.#buckets.get(key)
    const grown = known === undefined ? perMinute : known.left + (Math.max(0, now - known.at) / MINUTE_MS) * perMinute
    const left = Math.min(perMinute, grown)
    this.#buckets.delete(key)
    this.#buckets.set(key, { left: left >= 1 ? left - 1 : left, at: now })
    this.#forget()
    return left >= 1
  }

  #forget(): void {
    if (this.#buckets.size <= MAX_KNOWN) return
    const [oldest] = this.#buckets.keys()
    if (oldest !== undefined) this.#buckets.delete(oldest)
  }
}
