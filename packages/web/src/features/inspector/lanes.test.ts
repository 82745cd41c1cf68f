import type { InspectedTool, InspectedTurn } from "@parlor/protocol"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { glance, inspected, step } from "./fixtures.ts"
import { lanesOf } from "./lanes.ts"

const tool = (change: Partial<InspectedTool> = {}): InspectedTool => ({
  ...{ call: "c1", name: "lookup", state: "done", error: null, startedAt: 2_100, endedAt: 2_600 },
  ...change,
})
const toolLanes = (given: readonly InspectedTool[], turn: InspectedTurn["turn"] = glance()) =>
  lanesOf(inspected({ turn, steps: [step({ tools: [...given] })] }), 9_000).filter(({ kind }) => kind === "tool")

describe("tools on the timeline", () => {
  it("[LOG-15] one that has not begun has no lane; one that only ended has a sliver", () => {
    expect(toolLanes([tool({ state: "waiting", startedAt: null, endedAt: null })])).toEqual([])
    const [sliver] = toolLanes([tool({ startedAt: null, endedAt: 2_500 })])
    expect(sliver).toMatchObject({ left: 75, width: 0.6, silent: 0, words: "0 ms" })
  })

  it("[LOG-15] one that failed says why, one that runs grows, one left running by a dead turn was broken off", () => {
    const error = { code: "tool.failed", detail: "The sea is closed." }
    expect(toolLanes([tool({ state: "failed", error })])[0]).toMatchObject({
      ...{ isBad: true, isOpen: false, words: "500 ms, The sea is closed." },
    })
    const started = tool({ state: "started", endedAt: null })
    const running = glance({ state: "running", endedAt: null })
    expect(toolLanes([started], running)[0]).toMatchObject({ isOpen: true, words: "6.9 s, so far" })
    const dead = glance({ state: "interrupted", endedAt: 4_100 })
    expect(toolLanes([started], dead)[0]).toMatchObject({ isOpen: false, words: "2.0 s, interrupted" })
  })

  it("[LOG-15] two of one name are two lanes, each with a key of its own", () => {
    const lanes = toolLanes([tool(), tool({ call: "c2" })])
    expect(lanes.map(({ label }) => label)).toEqual(["lookup", "lookup"])
    expect(new Set(lanes.map(({ key }) => key)).size).toBe(2)
  })
})

describe("waits on the timeline", () => {
  it("[LOG-15] for a person and for another try are told apart, and one that goes on says so", () => {
    const waits: InspectedTurn["waits"] = [
      { kind: "retry", title: "overloaded", startedAt: 1_500, endedAt: 2_500 },
      { kind: "ask", title: "May I?", startedAt: 3_000, endedAt: null },
    ]
    const turn = glance({ state: "waiting", endedAt: null })
    expect(lanesOf(inspected({ turn, steps: [], waits }), 5_000).map(({ label, words }) => [label, words])).toEqual([
      ["Waited to retry", "1.0 s, overloaded"],
      ["Waited for you", "2.0 s, so far, May I?"],
    ])
  })
})

describe("the timeline as a whole", () => {
  it("[LOG-15] a step of which no time is known has no lane, and a turn of no time at all can be drawn", () => {
    expect(lanesOf(inspected({ steps: [step({ attempts: [], startedAt: null })] }), 9_000)).toEqual([])
    const instant = inspected({ turn: glance({ startedAt: 1_000, endedAt: 1_000 }) })
    for (const { left, width } of lanesOf(instant, 9_000)) expect([left, width].every(Number.isFinite)).toBe(true)
  })

  it("[LOG-15] lanes are in the order in which things began, whatever the order of the record", () => {
    const times = fc.array(fc.integer({ min: 1_000, max: 2_900 }), { maxLength: 12 })
    fc.assert(
      fc.property(times, (starts) => {
        const tools = starts.map((startedAt, index) => tool({ call: `c${index}`, startedAt, endedAt: 3_000 }))
        const lefts = toolLanes(tools).map(({ left }) => left)
        expect(lefts).toEqual([...lefts].sort((a, b) => a - b))
        expect(lefts).toHaveLength(starts.length)
      }),
    )
  })
})
