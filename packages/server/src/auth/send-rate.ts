/**
 * How fast one person may send (SEC-9): whatever adds a message, by a key or by sign-in.
 *
 * The local token has no such limit: it is its owner's own machine. What a program or a stranger's browser holds may be
 * lost or run wild.
 */
import { type Clock, type Rate, Rates, tooMany } from "@parlor/core"
import { limits, type RouteName } from "@parlor/protocol"
import { type Caller, LOCAL_PERSON } from "./caller.ts"

export type SendRate = {
  /** Refuses a route that adds a message when its caller has sent too many. Others pass. */
  take(route: RouteName, caller: Caller): void
  /** Nothing was added after all. */
  giveBack(caller: Caller): void
  /** For what comes to a person without their credential, a webhook's delivery: given back unless it is taken. */
  during<T>(person: string, deliver: () => Promise<T>): Promise<T>
}

/** An import has its own bounds; a delivery takes for the webhook's person once it has shown its signature. */
const ADDING: ReadonlySet<RouteName> = new Set(["send", "uiSend", "mergeSidecar", "fireSchedule", "fireHook"])

export function createSendRate(parts: { readonly clock: Clock; readonly perMinute?: number | undefined }): SendRate {
  const perMinute = parts.perMinute ?? limits.sendsPerMinute
  const rate: Rate = { perMinute, atOnce: Math.min(perMinute, limits.sendsAtOnce) }
  const known = new Rates()
  const take = (person: string) => {
    const waitMs = known.take(person, rate, parts.clock.now())
    if (waitMs > 0) throw tooMany(`One person may send ${perMinute} messages a minute. This one was not taken.`, waitMs)
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
