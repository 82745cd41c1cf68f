/**
 * Send rate of one person (SEC-9): every route that adds a message, by key or by sign-in.
 *
 * The local token has no such limit: it is used on its owner's machine. Other credentials may be stolen, or used by a
 * runaway program.
 */
import { type Clock, type Rate, type Rates, tooMany } from "@parlor/core"
import { limits, type RouteName } from "@parlor/protocol"
import { type Caller, LOCAL_PERSON } from "./caller.ts"

export type SendRate = {
  /** Refuses a route that adds a message if its caller has sent too many. Other routes pass. */
  take(route: RouteName, caller: Caller): void
  /** Gives a send back: no message was added. */
  giveBack(caller: Caller): void
  /** For a webhook's delivery, which arrives without the person's credential. Given back unless it is accepted. */
  during<T>(person: string, deliver: () => Promise<T>): Promise<T>
}

/** An import has its own limits; a delivery counts for the webhook's person once its signature is verified. */
const ADDING: ReadonlySet<RouteName> = new Set([
  "send",
  "uiSend",
  "agUiRun",
  "openaiChat",
  "openaiRespond",
  "mergeSidecar",
  "fireSchedule",
  "fireHook",
])

export function createSendRate(parts: {
  readonly clock: Clock
  readonly rates: Rates
  readonly perMinute?: number | undefined
}): SendRate {
  const perMinute = parts.perMinute ?? limits.sendsPerMinute
  const rate: Rate = { perMinute, atOnce: Math.min(perMinute, limits.sendsAtOnce) }
  const known = parts.rates
  const take = (person: string) => {
    const waitMs = known.take(person, rate, parts.clock.now())
    if (waitMs > 0)
      throw tooMany(`You can send at most ${perMinute} messages per minute. This one was not sent.`, waitMs)
  }
  const giveBack = (person: string) => known.giveBack(person, rate, parts.clock.now())
  return {
    take(route, caller) {
      if (!caller.isLocal && ADDING.has(route)) take(caller.person)
    },
    giveBack(caller) {
      if (!caller.isLocal) giveBack(caller.person)
    },
    async during(person, deliver) {
      if (person === LOCAL_PERSON) return deliver()
      take(person)
      try {
        return await deliver()
      } catch (error) {
        giveBack(person)
        throw error
      }
    },
  }
}
