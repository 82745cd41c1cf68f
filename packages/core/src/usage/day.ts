/** Days of the ledger, in UTC. Pure. */
import type { Millis } from "@parlor/protocol"

export const DAY_MS = 24 * 60 * 60_000

export function dayOf(at: Millis): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** The first moment of the next day. */
export function nextDay(at: Millis): Millis {
  return (Math.floor(at / DAY_MS) + 1) * DAY_MS
}
