/**
 * This process's cache of an issuer's signing keys.
 *
 *   unknown ──fetched──▶ known ──an unknown key, or MAX_AGE_MS passed──▶ fetched again
 *
 * The issuer is asked at most once per COOLDOWN_MS, whatever tokens arrive and whether it responds or not. While it
 * cannot be reached, known keys keep working; tokens signed with any other key cannot be verified, which is a fault
 * and not a refusal, because they may be valid.
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
/** A key that its issuer withdrew stays valid for this long. */
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

  /** Fetches the keys, or waits for a running fetch; does nothing during the cooldown. */
  const refresh = (): Promise<void> => {
    if (pending === undefined && isPast(clock.now(), triedAt, COOLDOWN_MS)) pending = fetchAgain()
    return pending ?? Promise.resolve()
  }

  return async (header, token) => {
    if (isPast(clock.now(), fetchedAt, MAX_AGE_MS)) {
      // Tokens with a known key do not wait for an issuer that did not respond last time.
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

/** Nobody waits longer after the clock was set back. */
function isPast(now: number, since: number, ms: number): boolean {
  return now - since >= ms || now < since
}

function unavailable(): Fault {
  return new Fault("the issuer's keys are not available", { code: "auth.unavailable", retryAfterMs: COOLDOWN_MS })
}

/** The message of `fetch` says only that it failed; its cause says why. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? ` (${String(error.cause)})` : ""
  return `${String(error)}${cause}`.slice(0, 500)
}
