import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { costText, countText, shareText, spanText } from "./figures.ts"
import { glance } from "./fixtures.ts"
import { stateText, turnTitle } from "./turnWords.ts"

describe("times", () => {
  it("[LOG-15] go over into the next unit instead of saying 60 seconds or a thousand milliseconds", () => {
    expect([999.4, 999.6, 119_400, 119_600, 179_600, 3_599_400, 3_599_600].map(spanText)).toEqual([
      ...["999 ms", "1.0 s", "1 min 59 s", "2 min 0 s", "3 min 0 s", "59 min 59 s", "1 h 0 min"],
    ])
    fc.assert(fc.property(fc.nat(100_000_000), (ms) => !/\b(60 s|60 min|1000 ms)$/.test(spanText(ms))))
  })

  it("[LOG-15] are off by no more than they round", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 50_000_000 }), (ms) => {
        const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000 }
        const said = [...spanText(ms).matchAll(/([\d.]+) (\w+)/g)]
        const sum = said.reduce((all, [, number, unit = ""]) => all + Number(number) * (units[unit] ?? Number.NaN), 0)
        expect(Math.abs(sum - ms)).toBeLessThanOrEqual(ms < 100_000 ? 51 : ms < 3_599_500 ? 500 : 60_000)
      }),
    )
  })
})

describe("counts and costs", () => {
  it("[LOG-15] counts stay short and never say a thousand thousand", () => {
    expect([10_000, 99_960, 999_499, 999_500, 1_000_000, 12_340_000].map(countText)).toEqual([
      ...["10k", "100k", "999k", "1M", "1M", "12.3M"],
    ])
    fc.assert(
      fc.property(fc.nat(900_000_000), (count) => {
        expect(countText(count).length).toBeLessThanOrEqual(5)
        expect(countText(count)).not.toContain("1000")
      }),
    )
  })

  it("[TRN-14] a sum that is nearly nothing, or nearly a dollar, is not made another sum by its digits", () => {
    expect([0.1, 1, 994_000, 999_999, 1_000_000, 123_456_789].map(costText)).toEqual([
      ...["<$0.000001", "$0.0000010", "$0.99", "$1.00", "$1.00", "$123.46"],
    ])
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000_000_000 }), (micros) => {
        const said = Number(costText(micros).slice(1)) * 1_000_000
        expect(Math.abs(said - micros) / micros).toBeLessThanOrEqual(0.051)
      }),
    )
  })

  it("[LOG-15] a share says more than all where it is more, and none where it is none", () => {
    const share = (tokens: number) => shareText({ tokens, window: 1_000 })
    expect([0, 1, 9, 10, 999, 1_000, 2_250].map(share)).toEqual([...["0%", "<1%", "<1%", "1%", "100%", "100%", "225%"]])
  })
})

describe("names", () => {
  it("[LOG-15] each state is called something else", () => {
    const states = ["running", "retrying", "waiting", "done", "stopped", "failed", "interrupted"] as const
    expect(new Set(states.map(stateText)).size).toBe(states.length)
  })

  it("a guest who was asked without words is named, and a compaction is one whoever asked", () => {
    expect(turnTitle(glance({ guest: "critic", question: "" }))).toBe("critic: Message without text")
    expect(turnTitle(glance({ guest: "critic", compaction: true }))).toBe("Compaction: older messages are summarized")
  })
})
