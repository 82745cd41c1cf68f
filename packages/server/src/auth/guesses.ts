/**
 * Wrong credentials, by the address they come from (SEC-9, SEC-17).
 *
 * Every credential is looked up, so that a right one is never refused for what others sent from its address. A flood of
 * unknown ones costs the store one statement at a time: what comes while one runs is asked with the next.
 */
import { type Clock, type KeyRecord, type Rate, Rates, type Store, tooMany } from "@parlor/core"
import { limits, type Refusal } from "@parlor/protocol"

export type Guesses = {
  /** The key of that hash. When there is none and too many from this address were wrong, refuses. */
  lookUp(address: string, hash: string): Promise<KeyRecord | undefined>
  /** Counts one that was found wrong without the store; what to refuse it with. */
  wrong(address: string, why: Refusal): Refusal
}

const RATE: Rate = { perMinute: limits.wrongCredentialsPerMinute, atOnce: limits.wrongCredentialsAtOnce }
/** Hashes of credentials that were right. The one used last is last. */
const MAX_KNOWN = 10_000

export function createGuesses(parts: {
  readonly store: Pick<Store, "findKey" | "findKeys">
  readonly clock: Clock
}): Guesses {
  const { store, clock } = parts
  const rates = new Rates()
  const right = new Set<string>()
  const findUnknown = batched((hashes) => store.findKeys(hashes))
  const remember = (hash: string) => {
    right.delete(hash)
    right.add(hash)
    const [oldest] = right
    if (right.size > MAX_KNOWN && oldest !== undefined) right.delete(oldest)
  }
  const tooManyWrong = (address: string) => {
    const waitMs = rates.take(address, RATE, clock.now())
    if (waitMs === 0) return undefined
    return tooMany("Too many wrong tokens came from this address. Wait before trying another.", waitMs)
  }
  return {
    async lookUp(address, hash) {
      // In use: it does not wait behind those that are not known.
      const found = await (right.has(hash) ? store.findKey(hash) : findUnknown(hash))
      if (found !== undefined) remember(hash)
      else right.delete(hash)
      const refusal = found === undefined ? tooManyWrong(address) : undefined
      if (refusal !== undefined) throw refusal
      return found
    },
    wrong: (address, why) => tooManyWrong(address) ?? why,
  }
}

/** The most hashes of one statement. */
const BATCH = 500

type Waiting = { resolve(key: KeyRecord | undefined): void; reject(error: unknown): void }

/** As many wait as there are requests under way, which connections bound. */
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
