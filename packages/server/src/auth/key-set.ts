/**
 * The keys an issuer signs with, as this process knows them.
 *
 *   unknown ──fetched──▶ known ──a key nobody knows, or MAX_AGE_MS passed──▶ fetched again
 *
 * It is never asked more often than once in COOLDOWN_MS, whatever tokens come and whether it answers or not. While it
 * cannot be reached, the keys that are known go on working; tokens by any other key cannot be checked, which is a fault
 * and not a refusal: they may be right.
 */
import type { Clock, Log } from "@parlor/core"
import { Fault } from "@parlor/protocol"
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from "jose"

export type KeySetParts = {
  readonly fetchKeys: () => Promise<JSONWebKeySet>
  readonly clock: Clock
  readonly log: Log
}

export const COOLDOWN_MS = 10_000
/** A key that its issuer has withdrawn is good for this long. */
export const MAX_AGE_MS = 10 * 60_000

export function createKeySet({ fetchKeys, clock, log }: KeySetParts): JWTVerifyGetKey {
  let known: JWTVerifyGetKey | undefined
  let triedAt = Number.NEGATIVE_INFINITY
  let fetchedAt = Number.NEGATIVE_INFINITY
  let isDown = false
  let pending: Promise<void> | undefined

  const fetchAgain = async () => {
    const now = clock.now()
    triedAt = now
    try {
      known = createLocalJWKSet(await fetchKeys())
      fetchedAt = now
      isDown = false
    } catch (error) {
      isDown = true
      log.warn("the issuer's keys could not be fetched", { reason: reasonOf(error) })
    } finally {
      pending = undefined
    }
  }

  /** Asks the issuer, or waits for who asks already; nothing while it cools down. */
  const refresh = (): Promise<void> => {
    if (pending === undefined && isPast(clock.now(), triedAt, COOLDOWN_MS)) pending = fetchAgain()
    return pending ?? Promise.resolve()
  }

  return async (header, token) => {
    if (isPast(clock.now(), fetchedAt, MAX_AGE_MS)) {
      // An issuer that did not answer last time is not waited for by tokens whose keys are known.
      const refreshed = refresh()
      if (known === undefined || !isDown) await refreshed
    }
    if (known === undefined) throw unavailable()
    try {
      return await known(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
    }
    await refresh()
    if (isDown) throw unavailable()
    return known(header, token)
  }
}

/** A clock that was set back does not make anybody wait. */
function isPast(now: number, since: number, ms: number): boolean {
  return now - since >= ms || now < since
}

function unavailable(): Fault {
  return new Fault("the keys of the issuer are not known", { code: "auth.unavailable", retryAfterMs: COOLDOWN_MS })
}

/** `fetch` says no more than that it failed; its cause says why. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? ` (${String(error.cause)})` : ""
  return `${String(error)}${cause}`.slice(0, 500)
}
