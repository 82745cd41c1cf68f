/**
 * A schedule: when something is to be said to an agent, and what (TRG-3). Those that an agent made for itself are
 * wakeups; they are kept and fired alike (TRG-4).
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
  /** What every so often is counted from. */
  readonly from: Millis
  readonly missed: MissedRule
  readonly type: string
  readonly payload: Json
  /** How many wakeups led to this one without a person in between; null for a person's own (TRG-8). */
  readonly depth: number | null
  /** It is over then, though its times go on. */
  readonly until: Millis | null
  readonly state: "active" | "paused" | "done"
  readonly why: ProblemNote | null
  /** The person has not been told of `why` yet. */
  readonly untold: boolean
  /** When a person let it go on: what it did before does not count against it. */
  readonly resumedAt: Millis | null
  /** The time it is to fire for next. */
  readonly nextAt: Millis | null
  /** Not before this, when it had to wait. */
  readonly againAt: Millis | null
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

/** Where it speaks, and nothing else of it: an address goes far. */
export function addressOf({ agent, person, branch }: Address): Address {
  return { agent, person, branch }
}

/** With a version of its own: whoever changed it first wins. */
export function changed(schedule: Schedule, change: Partial<Schedule>): Schedule {
  return { ...schedule, ...change, version: schedule.version + 1 }
}

/** On to its next time after `after`; done when there is none. */
export function moved(schedule: Schedule, after: Millis): Partial<Schedule> {
  const next = nextAfter(schedule, after)
  if (next === undefined) return { nextAt: null, againAt: null, state: "done" }
  if (schedule.until !== null && next > schedule.until) return { nextAt: null, againAt: null, state: "done", why: OVER }
  return { nextAt: next, againAt: null }
}

/** While it was paused nobody wanted it: only a time that comes once is still to be made up for. */
export function resumed(schedule: Schedule, now: Millis): Partial<Schedule> {
  const begun = { state: "active", why: null, untold: false, resumedAt: now } as const
  const again = { ...begun, ...(schedule.depth === null ? {} : { depth: 1 }) }
  return isRecurring(schedule.when) ? { ...again, ...moved(schedule, now) } : again
}

export function checkNotDone({ state, id }: Schedule): void {
  if (state === "done") throw new Refusal("schedule.invalid", `The schedule ${id} is over. Make a new one.`)
}

export function scheduleView(schedule: Schedule, last: FiringView | null): ScheduleView {
  const { id, kind, agent, branch, name, when, missed, type, payload, state, why, nextAt, createdAt } = schedule
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
    createdAt,
    last,
  }
}

const OVER: ProblemNote = { code: "wakeup.over", detail: "An agent wakes itself for so long, and then asks again." }

function lookAt({ state, untold, nextAt, againAt }: Schedule): Millis | null {
  if (state === "paused") return untold ? (againAt ?? 0) : null
  return state === "done" || nextAt === null ? null : Math.max(nextAt, againAt ?? 0)
}
