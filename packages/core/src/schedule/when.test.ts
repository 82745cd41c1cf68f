import { limits, Refusal, type When } from "@parlor/protocol"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { checkWhen, newestOf, nextAfter } from "./when.ts"

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** Clocks that shift by an hour, by half an hour, south of the equator, and not at all. */
const ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Asia/Kolkata", "UTC"]

const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString())
const cron = (pattern: string, timeZone = "UTC") => ({ when: { cron: pattern, timeZone } satisfies When, from: 0 })
const some = (times: ReturnType<typeof cron>, from: string, count: number) => {
  const found: (string | undefined)[] = []
  for (let at: number | undefined = Date.parse(from); at !== undefined && found.length < count; ) {
    at = nextAfter(times, at)
    found.push(iso(at))
  }
  return found
}

describe("when a schedule is due", () => {
  it("[TRG-3] once: at its time, and never after it", () => {
    const times = { when: { at: 5_000 }, from: 0 }
    expect(nextAfter(times, 0)).toBe(5_000)
    expect(nextAfter(times, 4_999)).toBe(5_000)
    expect(nextAfter(times, 5_000)).toBeUndefined()
  })

  it("[TRG-3] never: neither on a day that does not exist nor after the latest time", () => {
    expect(nextAfter(cron("0 0 30 2 *"), 0)).toBeUndefined()
    const last = { when: { everyMs: MINUTE }, from: limits.latestMillis - MINUTE }
    expect(nextAfter(last, last.from)).toBe(limits.latestMillis)
    expect(nextAfter(last, limits.latestMillis)).toBeUndefined()
  })

  it("[TRG-3] an interval is counted from its start, whatever was missed", () => {
    const times = { when: { everyMs: 1_000 }, from: 300 }
    expect([0, 300, 301, 1_299, 1_300, 999_999].map((after) => nextAfter(times, after))).toEqual([
      1_300, 1_300, 1_300, 1_300, 2_300, 1_000_300,
    ])
  })

  it("[TRG-3] a time of day skipped in spring is due right after the gap, once", () => {
    expect(some(cron("30 2 * * *", "Europe/Berlin"), "2026-03-28T12:00:00Z", 2)).toEqual([
      "2026-03-29T01:00:00.000Z",
      "2026-03-30T00:30:00.000Z",
    ])
    expect(some(cron("0,30 2,14 * * *", "Europe/Berlin"), "2026-03-28T14:00:00Z", 3)).toEqual([
      "2026-03-29T01:00:00.000Z",
      "2026-03-29T12:00:00.000Z",
      "2026-03-29T12:30:00.000Z",
    ])
    expect(some(cron("15 2 * * *", "Europe/Berlin"), "2026-03-28T12:00:00Z", 1)).toEqual(["2026-03-29T01:00:00.000Z"])
    expect(some(cron("15 2 * * *", "Australia/Lord_Howe"), "2026-10-03T00:00:00Z", 2)).toEqual([
      "2026-10-03T15:30:00.000Z",
      "2026-10-04T15:15:00.000Z",
    ])
  })

  it("[TRG-3] a time of day that comes twice in autumn is due the first time, from any starting point", () => {
    for (const [pattern, next] of [
      ["30 1 * * *", "2026-11-02T06:30:00.000Z"],
      ["30 1,13 * * 0,2", "2026-11-01T18:30:00.000Z"],
    ] as const)
      for (const from of ["2026-11-01T05:30:00Z", "2026-11-01T06:10:00Z", "2026-11-01T06:30:00Z"])
        expect(some(cron(pattern, "America/New_York"), from, 1), `${pattern} from ${from}`).toEqual([next])
    expect(some(cron("30 1 * * *", "America/New_York"), "2026-10-31T12:00:00Z", 2)).toEqual([
      "2026-11-01T05:30:00.000Z",
      "2026-11-02T06:30:00.000Z",
    ])
  })

  it("[TRG-3] an interval pattern continues through the repeated hour and past the skipped one", () => {
    expect(some(cron("*/30 * * * *", "Europe/Berlin"), "2026-10-24T23:59:00Z", 5)).toEqual([
      "2026-10-25T00:00:00.000Z",
      "2026-10-25T00:30:00.000Z",
      "2026-10-25T01:00:00.000Z",
      "2026-10-25T01:30:00.000Z",
      "2026-10-25T02:00:00.000Z",
    ])
    expect(some(cron("@hourly", "Europe/Berlin"), "2026-03-29T00:00:00Z", 2)).toEqual([
      "2026-03-29T01:00:00.000Z",
      "2026-03-29T02:00:00.000Z",
    ])
  })

  it("[TRG-3] days are those of the time zone; day of the month or of the week, whichever matches", () => {
    expect(some(cron("0 9 13 * 5", "Asia/Kolkata"), "2026-04-09T12:00:00Z", 3)).toEqual([
      "2026-04-10T03:30:00.000Z",
      "2026-04-13T03:30:00.000Z",
      "2026-04-17T03:30:00.000Z",
    ])
    expect(some(cron("0 0 29 2 *"), "2026-01-01T00:00:00Z", 1)).toEqual(["2028-02-29T00:00:00.000Z"])
  })

  it("[TRG-3] in any time zone, each time of day is due once on each matching day, in order", () => {
    const property = fc.property(
      fc.constantFrom(...ZONES),
      fc.integer({ min: 0, max: 23 }),
      fc.integer({ min: 0, max: 59 }),
      fc.integer({ min: 0, max: 360 }),
      (zone, hour, minute, day) => {
        const from = Date.UTC(2026, 0, 1) + day * DAY
        const found: number[] = []
        for (let at = from; found.length < 6; ) {
          const next = nextAfter(cron(`${minute} ${hour} * * *`, zone), at)
          expect(next).toBeGreaterThan(at)
          at = next ?? Number.NaN
          found.push(at)
        }
        const shown = found.map((at) => wall(zone, at))
        expect(new Set(shown.map(({ date }) => date)).size).toBe(6)
        const wanted = `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`
        // A time skipped by the clocks is the only reason for another time, and then it is the next existing one.
        for (const [index, { date, time }] of shown.entries()) {
          if (time === wanted) continue
          expect(existing(zone, found[index] ?? 0, date, wanted)).toEqual([])
          expect(time > wanted).toBe(true)
          const before = wall(zone, (found[index] ?? 0) - MINUTE)
          expect(before.date < date || before.time < wanted).toBe(true)
        }
      },
    )
    fc.assert(property, { numRuns: 80 })
  })

  it("[TRG-3] spaces and letter case make no difference", () => {
    const spaces = fc.array(fc.string({ unit: fc.constantFrom(" ", "\t"), minLength: 1, maxLength: 9 }), {
      minLength: 6,
      maxLength: 6,
    })
    const letters = fc.array(fc.boolean(), { minLength: 7, maxLength: 7 })
    const from = "2026-10-24T23:50:00Z"
    fc.assert(
      fc.property(fc.constantFrom("30 2 * * *", "30 * * * *"), spaces, letters, (pattern, gaps, isUpper) => {
        const spaced = ["", ...pattern.split(" "), ""].map((field, index) => field + (gaps[index] ?? "")).join("")
        expect(some(cron(spaced, "Europe/Berlin"), from, 3)).toEqual(some(cron(pattern, "Europe/Berlin"), from, 3))
        const hourly = [..."@hourly"].map((letter, index) => (isUpper[index] ? letter.toUpperCase() : letter)).join("")
        const times = some(cron(`${gaps[0]}${hourly}${gaps[1]}`, "Europe/Berlin"), from, 3)
        expect(times).toEqual(some(cron("0 * * * *", "Europe/Berlin"), from, 3))
      }),
      { numRuns: 20 },
    )
  })

  it("[TRG-3] the newest times: none before, none left out", () => {
    const every = { when: { everyMs: 1_000 }, from: 0 }
    expect(newestOf(every, 1_000, 10_500, 3)).toBe(8_000)
    expect(newestOf(every, 9_000, 10_500, 3)).toBe(9_000)
    expect(newestOf({ ...every, from: 300 }, 1_300, 10_500, 3)).toBe(8_300)
    const hourly = cron("0 * * * *", "Europe/Berlin")
    const now = Date.parse("2026-06-10T12:00:00Z")
    expect(iso(newestOf(hourly, Date.parse("2026-06-01T00:00:00Z"), now, 3))).toBe("2026-06-10T10:00:00.000Z")
    expect(iso(newestOf(hourly, Date.parse("2026-06-10T11:00:00Z"), now, 3))).toBe("2026-06-10T11:00:00.000Z")
    const daily = cron("30 2 * * *", "Europe/Berlin")
    expect(iso(newestOf(daily, 0, Date.parse("2026-03-29T01:00:00Z"), 2))).toBe("2026-03-28T01:30:00.000Z")
    expect(newestOf({ when: { at: 7 }, from: 0 }, 7, 99, 1)).toBe(7)
  })

  it("[TRG-3] the newest times are counted by real time where clocks have just changed", () => {
    const newest = (pattern: string, now: string, count: number) =>
      iso(newestOf(cron(pattern, "America/New_York"), 0, Date.parse(now), count))
    expect(newest("*/20 * * * *", "2026-11-01T07:00:00Z", 6), "back").toBe("2026-11-01T05:20:00.000Z")
    expect(newest("*/20 * * * *", "2026-03-08T07:00:00Z", 4), "forward").toBe("2026-03-08T06:00:00.000Z")
  })

  it("[TRG-3] exactly the newest times are caught up on, even on days when clocks change", () => {
    const patterns = ["15 * * * 0", "0 * * * *", "*/20 * * * *", "30 2 * * *", "0,45 1,2 * * 0,6"]
    const changes = [
      "2024-03-10T07:00Z",
      "2024-03-31T01:00Z",
      "2024-10-27T01:00Z",
      "2024-11-03T06:00Z",
      "2024-04-06T15:00Z",
    ]
    const near = fc.tuple(fc.constantFrom(...changes), fc.integer({ min: -2 * DAY, max: 2 * DAY }))
    fc.assert(
      fc.property(
        fc.constantFrom(...patterns),
        fc.constantFrom(...ZONES),
        near,
        fc.integer({ min: 1, max: 30 }),
        (...drawn) => {
          const [pattern, zone, [change, offset], count] = drawn
          const now = Date.parse(change) + offset
          const times = cron(pattern, zone)
          const due = nextAfter(times, now - 16 * DAY) ?? 0
          const all: number[] = []
          for (let at: number | undefined = due; at !== undefined && at <= now; at = nextAfter(times, at)) all.push(at)
          expect(iso(newestOf(times, due, now, count))).toBe(iso(all.at(-count) ?? due))
        },
      ),
      { numRuns: 60 },
    )
  })

  it.each([
    ["* * * *", "five fields"],
    ["* * * * * *", "five fields"],
    ["? * * * *", "five fields"],
    ["2026-01-01T00:00:00", "five fields"],
    ["60 * * * *", "minute"],
    ["0 0 30 2 *", "never due"],
    ["@reboot", "five fields"],
    ["x * * * *", "not a valid cron pattern"],
    ["", "five fields"],
  ])("refuses %j", (pattern, why) => {
    const check = () => checkWhen({ cron: pattern, timeZone: "UTC" }, 0)
    expect(check).toThrow(Refusal)
    expect(check).toThrow(why)
  })

  it("rejects a time in the past, and accepts patterns with names, steps and nicknames", () => {
    expect(() => checkWhen({ at: 5 }, 5)).toThrow("is in the past")
    for (const pattern of [
      "@daily",
      " 0  9 * * MON-FRI ",
      "*/5 8-18 * JAN,JUL *",
      "0 0 L * *",
      "0 9 * * 5#2",
      "0 0 * * 7",
    ])
      checkWhen({ cron: pattern, timeZone: "Europe/Berlin" }, 0)
  })
})

function wall(zone: string, at: number): { readonly date: string; readonly time: string } {
  const [date = "", time = ""] = new Date(at).toLocaleString("sv", { timeZone: zone }).split(" ")
  return { date, time: time.slice(0, 5) }
}

/** The minutes of a day at which the clocks show a time. */
function existing(zone: string, near: number, date: string, time: string): readonly number[] {
  const start = Math.floor((near - DAY) / MINUTE) * MINUTE
  return Array.from({ length: 2 * 24 * 60 }, (_, minute) => start + minute * MINUTE).filter((at) => {
    const shown = wall(zone, at)
    return shown.date === date && shown.time === time
  })
}
