import { limits } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { DAY_MS, dayOf, nextDay } from "./day.ts"
import { callRates } from "./settings.ts"
import { usageOf } from "./usage-of.ts"

const counts = (fields: object = {}) => ({
  ...{ inputTokens: 100, outputTokens: 10, reasoningTokens: 4, cachedTokens: 40 },
  ...fields,
})

describe("what a call cost", () => {
  it("[TRN-14] counts input, cached input and output at their prices", () => {
    expect(usageOf({ price: { input: 3, output: 5, cached: 1 } }, counts())).toEqual({ ...counts(), costMicros: 270 })
    expect(usageOf({ price: { input: 3, output: 5 } }, counts()).costMicros).toBe(350)
    expect(usageOf({}, counts())).toEqual({ ...counts(), costMicros: 0 })
  })

  it("[TRN-14] a provider that reports more cached than sent is not believed", () => {
    const price = { input: 3, output: 0, cached: 1 }
    expect(usageOf({ price }, counts({ cachedTokens: 500 })).costMicros).toBe(100)
  })

  it("[TRN-14] counts are never negative, and no more than can be counted", () => {
    const odd = counts({ inputTokens: -5, outputTokens: Number.NaN, cachedTokens: Number.POSITIVE_INFINITY })
    expect(usageOf({}, odd)).toMatchObject({ inputTokens: 0, outputTokens: 0, cachedTokens: Number.MAX_SAFE_INTEGER })
  })
})

describe("days and rates", () => {
  it("[SEC-22] days are those of UTC, and the next begins at midnight", () => {
    const at = Date.UTC(2026, 10, 16, 23, 59, 59, 999)
    expect(dayOf(at)).toBe("2026-11-16")
    expect(nextDay(at)).toBe(Date.UTC(2026, 10, 17))
    expect(nextDay(nextDay(at))).toBe(nextDay(at) + DAY_MS)
  })

  it("[SEC-21] as many begin at once as the minute allows, up to the limit; half of both unattended", () => {
    expect(callRates(4)).toEqual({ all: { perMinute: 4, atOnce: 4 }, unattended: { perMinute: 2, atOnce: 2 } })
    const most = limits.modelCallsAtOnce
    expect(callRates(10 * most)).toEqual({
      all: { perMinute: 10 * most, atOnce: most },
      unattended: { perMinute: 5 * most, atOnce: Math.floor(most / 2) },
    })
  })
})
