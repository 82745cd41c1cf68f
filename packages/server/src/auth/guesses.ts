/**
 * Rate limit for wrong credentials, by client address (SEC-9, SEC-17).
 *
 * Every credential is looked up, so that a valid one is never refused because of what others sent from its address. A
 * flood of unknown ones costs the store one statement at a time: lookups that arrive while one runs are batched into
 * the next.
 */
import { type Clock, type KeyRecord, type Keys, type Rate, Rates, tooMany } from "@parlor/core"
import { limits, type Refusal } from "@parlor/protocol"

export type KeyFinder = { readonly keys: Pick<Keys, "find" | "findAll"> }

export type Guesses = {
  /** Returns the key with that hash. Refuses if there is none and too many from this address were wrong. */
  lookUp(address: string, hash: string): Promise<KeyRecord | undefined>
  /** Counts a credential found wrong without the store. Returns the refusal. */
  wrong(address: string, why: Refusal): Refusal
}

const RATE: Rate = { perMinute: limits.wrongCredentialsPerMinute, atOnce: limits.wrongCredentialsAtOnce }
/** Hashes of valid credentials, least recently used first. */
const MAX_KNOWN = 10_000

export function createGuesses(parts: { readonly store: KeyFinder; readonly clock: Clock }): Guesses {
  const { store, clock } = parts
  const rates = new Rates()
  const right = new Set<string>()
  const findUnknown = batched((hashes) => store.keys.findAll(hashes))
  const remember = (hash: string) => {
    right.delete(hash)
    right.add(hash)
    const [oldest] = right
    if (right.size > MAX_KNOWN && oldest !== undefined) right.delete(oldest)
  }
  const tooManyWrong = (address: string) => {
    const waitMs = rates.take(address, RATE, clock.now())
    if (waitMs === 0) return undefined
    return tooMany("Too many wrong tokens from this address. Wait before you try again.", waitMs)
  }
  return {
    async lookUp(address, hash) {
      // Recently used: it does not wait behind unknown ones.
      const found = await (right.has(hash) ? store.keys.find(hash) : findUnknown(hash))
      if (found !== undefined) remember(hash)
      else right.delete(hash)
      const refusal = found === undefined ? tooManyWrong(address) : undefined
      if (refusal !== undefined) throw refusal
      return found
    },
    wrong: (address, why) => tooManyWrong(address) ?? why,
  }
}

/** Maximum number of hashes in one statement. */
const BATCH = 500

type Waiting = { resolve(key: KeyRecord | undefined): void; reject(error: unknown): void }

/** Bounded by the number of concurrent requests, which the connection limit bounds. */
function batched(find: (hashes: readonly string[]) => Promise<readonly KeyRecord[]>) {
  const waiting = new Map<string, Waiting[]>()
  let isAsking = false
  const askNext = async () => {
    isAsking = true
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, BATCH)
      for (const [hash] of batch) waiting.delete(hash)
      try {
        const found = new Map((await find(batch.map(([hash]) => hash))).map((key) => [key.hash, key]))
        for (const [hash, asked] of batch) for (const one of asked) one.resolve(found.get(hash))
      } catch (error) {
        for (const [, asked] of batch) for (const one of asked) one.reject(error)
      }
    }
    isAsking = false
  }
  return (hash: string): Promise<KeyRecord | undefined> =>
    new Promise((resolve, reject) => {
      waiting.set(hash, [...(waiting.get(hash) ?? []), { resolve, reject }])
      if (!isAsking) void askNext()
    })
}
