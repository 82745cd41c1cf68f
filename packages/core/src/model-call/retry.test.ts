import { describe, expect, it } from "vitest"
import { retryDelay } from "./retry.ts"

const settings = { tries: 4, baseMs: 1_000, maxMs: 3_000 }
const TEN_MINUTES_MS = 10 * 60_000

describe("when a model is tried again", () => {
  it("[TRN-10] the pause doubles up to the longest, a quarter more or less by chance", () => {
    expect([2, 3, 4].map((attempt) => retryDelay(attempt, settings, 0.5, undefined))).toEqual([1_000, 2_000, 3_000])
    expect(retryDelay(2, settings, 0, undefined)).toBe(750)
    expect(retryDelay(2, settings, 1, undefined)).toBe(1_250)
  })

  it("[TRN-10] not after the last try", () => {
    expect(retryDelay(5, settings, 0.5, undefined)).toBeUndefined()
    expect(retryDelay(5, settings, 0.5, 10)).toBeUndefined()
  })

  it("[TRN-10] the provider's own wish goes first, up to ten minutes; longer than that is not waited", () => {
    expect(retryDelay(2, settings, 0.5, 0)).toBe(0)
    expect(retryDelay(2, settings, 0.5, TEN_MINUTES_MS)).toBe(TEN_MINUTES_MS)
    expect(retryDelay(2, settings, 0.5, TEN_MINUTES_MS + 1)).toBeUndefined()
  })
})
