import { describe, expect, it } from "vitest"
import {
  changed,
  checkNotDone,
  moved,
  resumed,
  type Schedule,
  scheduleOf,
  scheduleRecord,
  scheduleView,
} from "./schedule.ts"
import { isRecurring } from "./when.ts"

const HOUR_MS = 3_600_000
const every = { everyMs: HOUR_MS } as const
const scheduleWith = (change: Partial<Schedule> = {}): Schedule =>
  ({
    ...{ id: "sch_1", kind: "schedule", person: "ana", stream: 7, agent: "crab", branch: "main", name: "n" },
    ...{ when: every, from: 0, missed: "skip", type: "composer_input", payload: { source: "hi" }, depth: null },
    ...{ until: null, state: "active", why: null, untold: false, resumedAt: null, nextAt: 500, againAt: null },
    ...{ version: 3, createdAt: 1, ...change },
  }) as unknown as Schedule

describe("a schedule", () => {
  it("[TRG-3] is stored with the time of its next check, and read back unchanged", () => {
    const schedule = scheduleWith()
    const record = scheduleRecord(schedule)
    expect(record).toMatchObject({ id: "sch_1", kind: "schedule", person: "ana", version: 3, live: true, lookAt: 500 })
    expect(scheduleOf(record)).toEqual(schedule)
    expect(scheduleRecord(scheduleWith({ state: "done" }))).toMatchObject({ live: false, lookAt: null })
  })

  it("[TRG-3] is checked when it is due, or later if it had to wait", () => {
    const lookAt = (change: Partial<Schedule>) => scheduleRecord(scheduleWith(change)).lookAt
    expect(lookAt({ nextAt: 500, againAt: 800 })).toBe(800)
    expect(lookAt({ nextAt: 500, againAt: 200 })).toBe(500)
    expect(lookAt({ nextAt: null })).toBeNull()
    expect(lookAt({ state: "paused" })).toBeNull()
    expect(lookAt({ state: "paused", untold: true })).toBe(0)
    expect(lookAt({ state: "paused", untold: true, againAt: 300 })).toBe(300)
  })

  it("[TRG-3] gets a new version with each change", () => {
    expect(changed(scheduleWith(), { name: "other" })).toMatchObject({ name: "other", version: 4 })
  })

  it("[TRG-3] advances to its next time, and is done if there is none or if that is after its end", () => {
    expect(moved(scheduleWith(), 10)).toEqual({ nextAt: HOUR_MS, againAt: null })
    expect(moved(scheduleWith({ until: HOUR_MS }), 10)).toEqual({ nextAt: HOUR_MS, againAt: null })
    expect(moved(scheduleWith({ until: HOUR_MS - 1 }), 10)).toMatchObject({
      nextAt: null,
      state: "done",
      why: { code: "wakeup.over" },
    })
    expect(moved(scheduleWith({ when: { at: 5 } }), 10)).toEqual({ nextAt: null, againAt: null, state: "done" })
  })

  it("[TRG-3, TRG-8] resumed, it continues from now; a missed single time still fires, and a chain is counted anew", () => {
    const begun = { state: "active", why: null, untold: false, resumedAt: 10 }
    expect(resumed(scheduleWith(), 10)).toEqual({ ...begun, nextAt: HOUR_MS, againAt: null })
    expect(resumed(scheduleWith({ when: { at: 5 }, depth: 9 }), 10)).toEqual({ ...begun, depth: 1 })
    expect([isRecurring(every), isRecurring({ at: 5 })]).toEqual([true, false])
  })

  it("[TRG-3] one that has ended can no longer be changed", () => {
    expect(() => checkNotDone(scheduleWith({ state: "done" }))).toThrow("sch_1")
    expect(() => checkNotDone(scheduleWith({ state: "paused" }))).not.toThrow()
  })

  it("[TRG-1] people see whether a person or an agent created it", () => {
    expect(scheduleView(scheduleWith(), null)).toMatchObject({ source: "schedule", name: "n", nextAt: 500, last: null })
    expect(scheduleView(scheduleWith({ kind: "wakeup" }), null)).toMatchObject({ source: "self", declared: false })
    expect(scheduleView(scheduleWith({ declared: true }), null)).toMatchObject({ source: "schedule", declared: true })
  })
})
