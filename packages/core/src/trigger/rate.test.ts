import fc from "fast-check"
import { expect, it } from "vitest"
import { Rates } from "./rate.ts"

it("[TRG-2] in no minute more than twice so many, and never more at once than a minute's worth", () => {
  const property = fc.property(
    fc.integer({ min: 1, max: 30 }),
    fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 200 }),
    (perMinute, gaps) => {
      const rates = new Rates()
      const passed: number[] = []
      let now = 0
      for (const gap of gaps) {
        now += gap
        if (rates.take("a", perMinute, now)) passed.push(now)
      }
      for (const at of passed)
        expect(passed.filter((other) => other >= at && other < at + 60_000).length).toBeLessThanOrEqual(2 * perMinute)
      for (const at of passed) expect(passed.filter((other) => other === at).length).toBeLessThanOrEqual(perMinute)
    },
  )
  fc.assert(property, { numRuns: 200 })
})

it("[TRG-2] one does not take from another, and a clock that goes back gives nothing away", () => {
  const rates = new Rates()
  expect([rates.take("a", 1, 100), rates.take("a", 1, 100), rates.take("b", 1, 100)]).toEqual([true, false, true])
  expect([rates.take("a", 1, 0), rates.take("a", 1, 60_000)]).toEqual([false, true])
})
