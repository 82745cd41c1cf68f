/**
 * So many a minute, and so many at once: token buckets, one for each key. Pure but for what it counts, which is kept in
 * this process: of several processes each lets its own share through.
 *
 * A bucket is the time at which it will be full again. What passes moves that time on by what one costs; nothing passes
 * that would move it further than a whole bucket ahead of now. A bucket that is full is as good as none and is forgotten.
 */
import { type Millis, Refusal } from "@parlor/protocol"

export type Rate = { readonly perMinute: number; readonly atOnce: number }

const MINUTE_MS = 60_000
const STEPS = 1_024
/** Past this, those that were not used for longest are forgotten though they are not full. */
const MAX_KNOWN = 10_000
/** More than comes in with each: what is full does not pile up. */
const FORGOTTEN_EACH = 2

export class Rates {
  /** The one used last is last. */
  readonly #fullAt = new Map<string, Millis>()

  /** Zero when one more may pass now, which is counted; otherwise how long until one may. */
  take(key: string, rate: Rate, now: Millis): Millis {
    const each = costOf(rate)
    const whole = each * rate.atOnce
    // A clock that was set back leaves an empty bucket, not one that stays empty for hours.
    const fullAt = Math.min(Math.max(this.#fullAt.get(key) ?? now, now), now + whole)
    const freeAt = fullAt + each - whole
    this.#put(key, freeAt <= now ? fullAt + each : fullAt)
    this.#forget(now)
    return freeAt <= now ? 0 : Math.ceil(freeAt - now)
  }

  /** What passed turned out to be nothing. */
  giveBack(key: string, rate: Rate, now: Millis): void {
    const fullAt = this.#fullAt.get(key)
    if (fullAt === undefined) return
    this.#put(key, fullAt - costOf(rate))
    this.#forget(now)
  }

  /** How many buckets are not known to be full. */
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
      if (left-- === 0 || (fullAt > now && this.#fullAt.size <= MAX_KNOWN)) return
      this.#fullAt.delete(key)
    }
  }
}

/** The time that one takes up, in steps of which sums are exact: rounding must not refuse the last one of a bucket. */
function costOf({ perMinute }: Rate): Millis {
  return Math.max(1, Math.floor((MINUTE_MS / perMinute) * STEPS)) / STEPS
}

/** So many a minute, with a minute's worth at once. */
export function perMinute(count: number): Rate {
  return { perMinute: count, atOnce: count }
}

export function tooMany(detail: string, waitMs: Millis): Refusal {
  return new Refusal("rate.exceeded", detail, undefined, { retryAfterMs: waitMs })
}
