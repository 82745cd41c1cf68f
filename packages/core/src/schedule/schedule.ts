/**
 * A schedule: when to send a message to an agent, and which (TRG-3). Schedules that an agent created for itself are
 * wakeups; they are stored and fired alike (TRG-4).
 *
 *   active ──pause──▶ paused ──resume──▶ active        active ──its last time──▶ done
 *
 * Pure.
 */
import {
  type Address,
  type FiringView,
  type Millis,
  type MissedRule,
  type ProblemNote,
  Refusal,
  type ScheduleView,
  type StreamId,
  type When,
} from "@parlor/protocol"
import type { Json } from "../ports/json.ts"
import type { TriggerRecord } from "../ports/triggers.ts"
import { isRecurring, nextAfter } from "./when.ts"

export type Schedule = {
  readonly id: string
  readonly kind: "schedule" | "wakeup"
  readonly person: string
  readonly stream: StreamId
  readonly agent: string
  readonly branch: string
  readonly name: string
  readonly when: When
  /** The start of an interval. */
  readonly from: Millis
  readonly missed: MissedRule
  readonly type: string
  readonly payload: Json
  /** How many wakeups in a row led to this one without a person; null for a person's own schedule (TRG-8). */
  readonly depth: number | null
  /** It ends at this time, even if it recurs. */
  readonly until: Millis | null
  readonly state: "active" | "paused" | "done"
  readonly why: ProblemNote | null
  /** The person has not been notified of `why` yet. */
  readonly untold: boolean
  /** When a person resumed it: earlier firings do not count against it. */
  readonly resumedAt: Millis | null
  /** The time it fires for next. */
  readonly nextAt: Millis | null
  /** Not before this time, if it had to wait. */
  readonly againAt: Millis | null
  /** It is declared in the config (TRG-11). */
  readonly declared?: boolean
  readonly version: number
  readonly createdAt: Millis
}

export const CLOCKED = ["schedule", "wakeup"] as const

export function scheduleRecord(schedule: Schedule): TriggerRecord {
  const { id, kind, person, stream, version, createdAt, ...rest } = schedule
  const live = schedule.state !== "done"
  return { id, kind, person, stream, version, createdAt, live, lookAt: lookAt(schedule), value: JSON.stringify(rest) }
}

export function scheduleOf(record: TriggerRecord): Schedule {
  const { id, kind, person, stream, version, createdAt } = record
  return { ...(JSON.parse(record.value) as Schedule), id, kind, person, stream, version, createdAt } as Schedule
}

/** Only the address: other fields must not be passed on with it. */
export function addressOf({ agent, person, branch }: Address): Address {
  return { agent, person, branch }
}

/** With a new version: of two concurrent changes the first wins. */
export function changed(schedule: Schedule, change: Partial<Schedule>): Schedule {
  return { ...schedule, ...change, version: schedule.version + 1 }
}

/** Advances to the next time after `after`; done if there is none. */
export function moved(schedule: Schedule, after: Millis): Partial<Schedule> {
  const next = nextAfter(schedule, after)
  if (next === undefined) return { nextAt: null, againAt: null, state: "done" }
  if (schedule.until !== null && next > schedule.until) return { nextAt: null, againAt: null, state: "done", why: OVER }
  return { nextAt: next, againAt: null }
}

/** Firings missed while it was paused are skipped, except a time that comes only once. */
export function resumed(schedule: Schedule, now: Millis): Partial<Schedule> {
  const begun = { state: "active", why: null, untold: false, resumedAt: now } as const
  const again = { ...begun, ...(schedule.depth === null ? {} : { depth: 1 }) }
  return isRecurring(schedule.when) ? { ...again, ...moved(schedule, now) } : again
}

export function checkNotDone({ state, id }: Schedule): void {
  if (state === "done") throw new Refusal("schedule.invalid", `The schedule ${id} has ended. Create a new one.`)
}

export function scheduleView(schedule: Schedule, last: FiringView | null): ScheduleView {
  const { id, kind, agent, branch, name, when, missed, type, payload, state, why, nextAt, createdAt } = schedule
  const { declared = false } = schedule
  return {
    id,
    source: kind === "wakeup" ? "self" : "schedule",
    agent,
    branch,
    name,
    when,
    missed,
    type,
    payload: payload as ScheduleView["payload"],
    state,
    why,
    nextAt,
    declared,
    createdAt,
    last,
  }
}

const OVER: ProblemNote = {
  code: "wakeup.over",
  detail: "An agent's wakeups end after a fixed time unless it asks again.",
}

function lookAt({ state, untold, nextAt, againAt }: Schedule): Millis | null {
  if (state === "paused") return untold ? (againAt ?? 0) : null
  return state === "done" || nextAt === null ? null : Math.max(nextAt, againAt ?? 0)
}
