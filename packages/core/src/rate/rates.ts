/**
 * A rate per minute and a burst size: token buckets, one per key. Pure except for its counts, which are kept in this
 * process; `shared-rates.ts` lets several processes count together.
 *
 * A bucket is stored as the time at which it will be full again. Each call moves that time ahead by its cost; a call
 * that would move it further ahead than a whole bucket is rejected. A full bucket equals no bucket and is dropped.
 */
import { type Millis, Refusal } from "@parlor/protocol"

export type Rate = { readonly perMinute: number; readonly atOnce: number }

const MINUTE_MS = 60_000
const STEPS = 1_024
/** With more buckets, the least recently used are dropped even if they are not full. */
const MAX_BUCKETS = 10_000
/** More than are added per call, so that full buckets do not pile up. */
const FORGOTTEN_EACH = 2

/** Servers that share a bucket may have let more pass than one bucket has. It is never further ahead than this. */
const MAX_AHEAD_MS = 10 * MINUTE_MS

export class Rates {
  /** Most recently used last. */
  readonly #fullAt = new Map<string, Millis>()
  readonly #onTaken: ((key: string, cost: Millis) => void) | undefined

  /** `onTaken`: for shared buckets, called with the cost of each call that passes; negative for one given back. */
  constructor(onTaken?: (key: string, cost: Millis) => void) {
    this.#onTaken = onTaken
  }

  /** Zero if a call may pass now, which is then counted; otherwise how long until one may. */
  take(key: string, rate: Rate, now: Millis): Millis {
    const each = costOf(rate)
    const whole = each * rate.atOnce
    // A clock that was set back leaves an empty bucket, not one that stays empty for hours.
    const latest = now + (this.#onTaken === undefined ? whole : MAX_AHEAD_MS)
    const fullAt = Math.min(Math.max(this.#fullAt.get(key) ?? now, now), latest)
    const freeAt = fullAt + each - whole
    this.#put(key, freeAt <= now ? fullAt + each : fullAt)
    if (freeAt <= now) this.#onTaken?.(key, each)
    this.#forget(now)
    return freeAt <= now ? 0 : Math.ceil(freeAt - now)
  }

  /** Refunds a call that turned out to do nothing. */
  giveBack(key: string, rate: Rate, now: Millis): void {
    const fullAt = this.#fullAt.get(key)
    if (fullAt === undefined) return
    this.#put(key, fullAt - costOf(rate))
    this.#onTaken?.(key, -costOf(rate))
    this.#forget(now)
  }

  /** Sets a shared bucket to what all processes know: in how long it will be full again. */
  correct(key: string, fullInMs: Millis, now: Millis): void {
    if (fullInMs > 0) this.#put(key, now + fullInMs)
    else this.#fullAt.delete(key)
  }

  /** The keys whose bucket is not full. */
  unfilled(now: Millis): readonly string[] {
    return [...this.#fullAt].flatMap(([key, fullAt]) => (fullAt > now ? [key] : []))
  }

  /** The number of buckets that are not known to be full. */
  get size(): number {
    return this.#fullAt.size
  }

  #put(key: string, fullAt: Millis): void {
    this.#fullAt.delete(key)
    this.#fullAt.set(key, fullAt)
  }

  #forget(now: Millis): void {
    let left = FORGOTTEN_EACH
    for (const [key, fullAt] of this.#fullAt) {
      if (left-- === 0 || (fullAt > now && this.#fullAt.size <= MAX_BUCKETS)) return
      this.#fullAt.delete(key)
    }
  }
}

/** The cost of one call in time, in steps whose sums are exact: rounding must not reject the last call of a bucket. */
function costOf({ perMinute }: Rate): Millis {
  return Math.max(1, Math.floor((MINUTE_MS / perMinute) * STEPS)) / STEPS
}

/** A rate per minute, with a burst of one minute's worth. */
export function perMinute(count: number): Rate {
  return { perMinute: count, atOnce: count }
}

export function tooMany(detail: string, waitMs: Millis): Refusal {
  return new Refusal("rate.exceeded", detail, undefined, { retryAfterMs: waitMs })
}
