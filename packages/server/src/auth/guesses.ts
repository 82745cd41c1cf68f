/**
 * Wrong credentials, by the address they come from (SEC-9).
 *
 * Past the limit a credential that nobody here knows is turned down before the store is asked. One that was right before
 * goes on working from the same address: behind a proxy everybody has that address.
 */
import { type Clock, type Rate, Rates, tooMany } from "@parlor/core"
import { limits, type Refusal } from "@parlor/protocol"

export type Guesses = {
  /** Looks a credential up, unless too many from this address were wrong. */
  lookUp<T>(address: string | undefined, hash: string, find: () => Promise<T | undefined>): Promise<T | undefined>
  /** Counts one that was found wrong without the store; what to refuse it with. */
  wrong(address: string | undefined, why: Refusal): Refusal
}

const RATE: Rate = { perMinute: limits.wrongCredentialsPerMinute, atOnce: limits.wrongCredentialsAtOnce }
/** Hashes of credentials that were right. The one used last is last. */
const MAX_KNOWN = 10_000

export function createGuesses(clock: Clock): Guesses {
  const rates = new Rates()
  const right = new Set<string>()
  const remember = (hash: string) => {
    right.delete(hash)
    right.add(hash)
    const [oldest] = right
    if (right.size > MAX_KNOWN && oldest !== undefined) right.delete(oldest)
  }
  return {
    async lookUp(address, hash, find) {
      if (right.has(hash)) {
        remember(hash)
        return find()
      }
      const from = networkOf(address)
      // Taken before the answer is known, so that a thousand at once are no more than one after another.
      const waitMs = rates.take(from, RATE, clock.now())
      if (waitMs > 0) throw tooManyWrong(waitMs)
      let isWrong = false
      try {
        const found = await find()
        isWrong = found === undefined
        if (!isWrong) remember(hash)
        return found
      } finally {
        if (!isWrong) rates.giveBack(from, RATE, clock.now())
      }
    },
    wrong(address, why) {
      const waitMs = rates.take(networkOf(address), RATE, clock.now())
      return waitMs > 0 ? tooManyWrong(waitMs) : why
    },
  }
}

/** An address of IPv4, or the first half of one of IPv6: who has one of those has them all. */
export function networkOf(address = ""): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!address.includes(":")) return address
  const [head = "", tail] = address.replace(/%.*$/, "").toLowerCase().split("::")
  const groups = head === "" ? [] : head.split(":")
  const after = tail ? tail.split(":").length : 0
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - after)
  const all = [...groups, ...Array<string>(zeros).fill("0"), ...(tail ? tail.split(":") : [])]
  return `${all.slice(0, 4).join(":")}::`
}

function tooManyWrong(waitMs: number): Refusal {
  return tooMany("Too many wrong tokens came from this address. Wait before trying another.", waitMs)
}
