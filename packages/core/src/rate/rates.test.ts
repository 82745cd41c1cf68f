import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { perMinute, type Rate, Rates, tooMany } from "./rates.ts"

const rates = fc.record({ perMinute: fc.integer({ min: 1, max: 700 }), atOnce: fc.integer({ min: 1, max: 30 }) })
const gaps = fc.array(fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 20_000 })), {
  maxLength: 120,
})
const START = 1_700_000_000_000

/** The instants at which a call passed. */
function passedOf(known: Rates, rate: Rate, waits: readonly number[]): readonly number[] {
  let now = START
  return waits.flatMap((gap) => {
    now += gap
    return known.take("a", rate, now) === 0 ? [now] : []
  })
}

describe("a rate", () => {
  it("[SEC-9, TRG-2] in any period no more pass than the burst plus the rate for that period", () => {
    const property = fc.property(rates, gaps, (rate, waits) => {
      const passed = passedOf(new Rates(), rate, waits)
      for (const [first, from] of passed.entries())
        for (const [last, to] of passed.entries()) {
          const worth = rate.atOnce + ((to - from) * rate.perMinute) / 60_000
          if (last >= first) expect(last - first + 1).toBeLessThanOrEqual(worth + 0.1)
        }
    })
    fc.assert(property, { numRuns: 200 })
  })

  it("[SEC-9] nobody who stays within the rate is rejected", () => {
    const property = fc.property(rates, fc.integer({ min: 1, max: 100 }), (rate, count) => {
      const each = Math.ceil(60_000 / rate.perMinute)
      expect(passedOf(new Rates(), rate, Array<number>(count).fill(each))).toHaveLength(count)
      expect(passedOf(new Rates(), rate, Array<number>(rate.atOnce).fill(0))).toHaveLength(rate.atOnce)
    })
    fc.assert(property, { numRuns: 100 })
  })

  it("[SEC-9] after a rejection the next call passes after the stated wait, and not a moment before", () => {
    const property = fc.property(rates, gaps, (rate, waits) => {
      const at = (again: number) => {
        const known = new Rates()
        const now = START + waits.reduce((sum, gap) => sum + gap, 0)
        passedOf(known, rate, waits)
        const wait = known.take("a", rate, now)
        return { wait, next: wait === 0 ? 0 : known.take("a", rate, now + wait + again) }
      }
      const { wait, next } = at(0)
      expect(next).toBe(0)
      if (wait > 0) expect(at(-1).next).toBe(1)
    })
    fc.assert(property, { numRuns: 200 })
  })

  it("[SEC-9] a refunded call does not count", () => {
    const known = new Rates()
    const rate = { perMinute: 1, atOnce: 2 }
    expect([known.take("a", rate, 0), known.take("a", rate, 0)]).toEqual([0, 0])
    known.giveBack("a", rate, 0)
    expect([known.take("a", rate, 0), known.take("a", rate, 0)]).toEqual([0, 60_000])
    known.giveBack("b", rate, 0)
    known.giveBack("a", rate, 180_000)
    expect([known.take("b", rate, 0), known.take("b", rate, 0), known.take("b", rate, 0)]).toEqual([0, 0, 60_000])
  })

  it("[SEC-9] full buckets are dropped, and their number is limited", () => {
    const known = new Rates()
    for (let n = 0; n < 2_000; n++) known.take(`person ${n}`, perMinute(10), n)
    expect(known.size).toBe(2_000)
    for (let n = 0; n < 2_000; n++) known.take("one", perMinute(10), 100_000 + n)
    expect(known.size).toBe(1)
    for (let n = 0; n < 25_000; n++) known.take(`stranger ${n}`, perMinute(1), 200_000)
    expect(known.size).toBe(10_000)
  })
})

it("[TRG-2] keys are independent, and a clock that goes back gives nothing away", () => {
  const known = new Rates()
  const once = perMinute(1)
  expect([known.take("a", once, 100), known.take("a", once, 100), known.take("b", once, 100)]).toEqual([0, 60_000, 0])
  expect([known.take("a", once, 0), known.take("a", once, 60_000)]).toEqual([60_000, 0])
  known.take("c", once, 9_000_000)
  expect([known.take("c", once, 0), known.take("c", once, 60_000)]).toEqual([60_000, 0])
})

it("[SEC-9] what is full at this very moment is forgotten with the next one taken, two at a time; what was used last stays longest", () => {
  const known = new Rates()
  for (const key of ["a", "b", "c"]) known.take(key, perMinute(1), 0)
  known.take("d", perMinute(1), 59_999)
  expect(known.size).toBe(4)
  known.take("e", perMinute(1), 60_000)
  expect(known.size).toBe(3)
  known.giveBack("e", perMinute(1), 60_000)
  expect(known.size).toBe(2)
  const crowded = new Rates()
  for (let n = 0; n < 10_000; n++) crowded.take(`person ${n}`, perMinute(1), 0)
  expect(crowded.take("person 0", perMinute(1), 0)).toBe(60_000)
  crowded.take("stranger", perMinute(1), 0)
  expect([crowded.size, crowded.take("person 0", perMinute(1), 0)]).toEqual([10_000, 60_000])
})

it("a rejection says when to retry", () => {
  expect(tooMany("Later.", 1_500)).toMatchObject({ code: "rate.exceeded", retryAfterMs: 1_500, message: "Later." })
})
