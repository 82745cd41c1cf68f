import { describe, expect, it } from "vitest"
import type { Spending } from "../ports/usage.ts"
import { Meter } from "./meter.ts"

const line = (fields: Partial<Spending> = {}): Spending => ({
  ...{ person: "ana", day: "2026-11-16", source: "turn" as Spending["source"], agent: "crab", model: "m" },
  ...{ calls: 1, inputTokens: 10, outputTokens: 3, costMicros: 7 },
  ...fields,
})

describe("what was used and not written yet", () => {
  it("[SEC-20] is added up by person, day, source, agent and model", () => {
    const meter = new Meter()
    meter.add(line())
    meter.add(line({ calls: 2, inputTokens: 20, outputTokens: 6, costMicros: 14 }))
    expect(meter.take()).toEqual([line({ calls: 3, inputTokens: 30, outputTokens: 9, costMicros: 21 })])
    const others: Partial<Spending>[] = [
      { person: "bo" },
      { day: "2026-11-17" },
      { source: "granted" },
      { agent: "x" },
      { model: "n" },
    ]
    for (const fields of [{}, ...others]) meter.add(line(fields))
    expect(meter.take()).toEqual([{}, ...others].map(line))
  })

  it("[SEC-20] is taken once, and again when it was given back", () => {
    const meter = new Meter()
    expect(meter.take()).toEqual([])
    meter.add(line())
    const taken = meter.take()
    expect(taken).toEqual([line()])
    expect(meter.take()).toEqual([])
    meter.add(line())
    meter.giveBack(taken)
    expect(meter.take()).toEqual([line({ calls: 2, inputTokens: 20, outputTokens: 6, costMicros: 14 })])
  })
})
