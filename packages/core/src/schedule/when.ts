/** When a schedule is due: once, at an interval, or by a cron pattern. Pure; the caller passes the time. */
import { limits, type Millis, Refusal, type When } from "@parlor/protocol"
import { checkCron, earliestOf, nextByCron } from "./cron.ts"

/** `from`: the start of an interval. */
export type Times = { readonly when: When; readonly from: Millis }

/** Throws if it will never be due. */
export function checkWhen(when: When, now: Millis): void {
  if ("cron" in when) checkCron(when.cron, "/when/cron")
  if ("at" in when && when.at <= now)
    throw new Refusal("schedule.invalid", `${new Date(when.at).toISOString()} is in the past.`, "/when/at")
}

/** The first time it is due after `after`. */
export function nextAfter({ when, from }: Times, after: Millis): Millis | undefined {
  const next = "at" in when ? once(when.at, after) : "cron" in when ? byCron(when, after) : every(when, from, after)
  return next === undefined || next > limits.latestMillis ? undefined : next
}

/** The first of the last `count` times up to `now`, or `due` if there are fewer since then. */
export function newestOf(times: Times, due: Millis, now: Millis, count: number): Millis {
  const { when, from } = times
  if ("at" in when) return due
  if ("everyMs" in when) {
    const latest = from + Math.floor((now - from) / when.everyMs) * when.everyMs
    return Math.max(due, latest - (count - 1) * when.everyMs)
  }
  const earliest = earliestOf(when.cron, when.timeZone, now, count)
  if (earliest === undefined || earliest <= due) return due
  return nextAfter(times, earliest - 1) ?? due
}

export function isRecurring(when: When): boolean {
  return !("at" in when)
}

function once(at: Millis, after: Millis): Millis | undefined {
  return at > after ? at : undefined
}

function every({ everyMs }: { readonly everyMs: number }, from: Millis, after: Millis): Millis {
  return after < from ? from + everyMs : from + (Math.floor((after - from) / everyMs) + 1) * everyMs
}

function byCron({ cron, timeZone }: { readonly cron: string; readonly timeZone: string }, after: Millis) {
  return nextByCron(cron, timeZone, after)
}
