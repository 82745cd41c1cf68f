import { emptyUsage } from "@parlor/protocol"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { placeIn } from "../place/place.ts"
import { inspectAddress } from "./address.ts"
import { barsOf, CHART, chartWords, isNearlyFull } from "./chart.ts"
import { costText, countText, shareText, spanText, usageFigures } from "./figures.ts"
import { glance, inspected, step } from "./fixtures.ts"
import { lanesOf } from "./lanes.ts"
import { rolesOf } from "./roles.ts"
import { promptText, turnTitle } from "./turnWords.ts"
import { newsOf } from "./useInspector.ts"

describe("where it is", () => {
  it("[TAB-11] the inspector of a conversation and of each turn has an address", () => {
    expect(inspectAddress("host", "main")).toBe("#inspect/host")
    expect(placeIn(inspectAddress("host", "redder", "trn_1"))).toMatchObject({
      ...{ page: "inspect", agent: "host", branch: "redder", detail: "trn_1" },
    })
  })
})

describe("figures", () => {
  it("[LOG-15] tokens, cost and time are short and say what matters", () => {
    expect([0, 999, 9_999, 12_345, 128_000, 1_050_000].map(countText)).toEqual([
      ...["0", "999", "9,999", "12.3k", "128k", "1.1M"],
    ])
    expect([0, 12, 1_250, 250_000, 2_500_000].map(costText)).toEqual(["$0", "$0.000012", "$0.0013", "$0.25", "$2.50"])
    expect([-5, 12, 1_500, 99_940, 125_000, 3_700_000].map(spanText)).toEqual([
      ...["0 ms", "12 ms", "1.5 s", "99.9 s", "2 min 5 s", "1 h 1 min"],
    ])
    expect(shareText({ tokens: 5, window: 10_000 })).toBe("<1%")
    expect(shareText({ tokens: 5_000, window: 10_000 })).toBe("50%")
  })

  it("[TRN-14] what was cached and thought is told apart, and a cost nobody knows is not called nothing", () => {
    const all = { inputTokens: 100, cachedTokens: 40, outputTokens: 9, reasoningTokens: 3, costMicros: 0 }
    expect(usageFigures(all).map(({ label, value }) => `${label}: ${value}`)).toEqual([
      ...["Tokens in: 100", "of them cached: 40", "Tokens out: 9", "of them reasoning: 3", "Cost: price unknown"],
    ])
    expect(usageFigures(emptyUsage).map(({ label }) => label)).toEqual(["Tokens in", "Tokens out", "Cost"])
  })

  it("a turn is called by what was asked, a guest's by who answers", () => {
    expect(turnTitle(glance())).toBe("When is the tide?")
    expect(turnTitle(glance({ guest: "critic" }))).toBe("critic: When is the tide?")
    expect(turnTitle(glance({ compaction: true, question: "" }))).toContain("Compaction")
    expect(turnTitle(glance({ question: "" }))).not.toBe("")
  })

  it("[LOG-15] each state of a prompt is explained, and only one claims to be exact", () => {
    const states = ["exact", "differs", "missing", "pending", "left-out"] as const
    expect(new Set(states.map(promptText)).size).toBe(states.length)
    expect(states.filter((state) => promptText(state).startsWith("Exactly"))).toEqual(["exact"])
  })
})

describe("the chart", () => {
  it("[LOG-15] goes from old to new, full window and dearest turn at the top", () => {
    const dear = glance({
      id: "new",
      usage: { ...emptyUsage, costMicros: 2_500 },
      context: { tokens: 9_000, window: 4_000 },
    })
    const bars = barsOf([dear, glance({ id: "old" }), glance({ id: "none", context: null })])
    expect(bars.map(({ turn, context, cost }) => [turn, context, cost])).toEqual([
      ["none", undefined, 0.5],
      ["old", 0.2625, 0.5],
      ["new", 1, 1],
    ])
    expect(bars.map(isNearlyFull)).toEqual([false, false, true])
  })

  it("stays within its frame, however many turns there are and whatever they took", () => {
    const turns = fc.array(
      fc
        .record({ tokens: fc.nat(), window: fc.integer({ min: 1 }), cost: fc.nat() })
        .map(({ tokens, window, cost }) =>
          glance({ context: { tokens, window }, usage: { ...emptyUsage, costMicros: cost } }),
        ),
      { maxLength: 250 },
    )
    fc.assert(
      fc.property(turns, (given) => {
        const bars = barsOf(given)
        expect(bars.length).toBe(given.length)
        for (const { x, width, context = 0, cost } of bars) {
          expect(x + width).toBeLessThanOrEqual(CHART.width)
          expect(Math.max(context, cost)).toBeLessThanOrEqual(1)
          expect(Math.min(context, cost)).toBeGreaterThanOrEqual(0)
        }
      }),
    )
  })

  it("[TAB-27] says the same in a sentence", () => {
    expect(chartWords([glance(), glance()])).toBe(
      "Context use and cost of 2 turns. The latest uses 26% of a window of 4,000 tokens; total cost $0.0025.",
    )
    expect(chartWords([glance({ context: null, usage: emptyUsage })])).toBe(
      "Context use and cost of 1 turn. Context use is unknown; price unknown.",
    )
  })
})

describe("the timeline", () => {
  const tool = { call: "c", name: "lookup", state: "done", error: null, startedAt: 2_100, endedAt: 2_600 } as const

  it("[LOG-15] steps with the silence before the first word, tools and waits lie where their time was", () => {
    const wait = { kind: "ask", title: "May I?", startedAt: 2_000, endedAt: 2_100 } as const
    const lanes = lanesOf(inspected({ steps: [step({ tools: [tool] })], waits: [wait] }), 9_000)
    expect(
      lanes.map(({ kind, label, left, width, silent, words }) => [kind, label, Math.round(left), width, silent, words]),
    ).toEqual([
      ["step", "Step 1 · big", 0, 50, 0.4, "1.0 s, first token after 400 ms"],
      ["ask", "Waited for you", 50, 5, 0, "100 ms, May I?"],
      ["tool", "lookup", 55, 25, 0, "500 ms"],
    ])
  })

  it("[LOG-15] tries that failed have lanes of their own, with why", () => {
    const last = step().attempts
    const broken = {
      ...step().attempts[0],
      firstAt: null,
      endedAt: 1_500,
      error: "overloaded",
    } as (typeof last)[number]
    const lanes = lanesOf(inspected({ steps: [step({ attempts: [broken, ...last] })] }), 9_000)
    expect(lanes.map(({ kind, isBad, words }) => [kind, isBad, words])).toEqual([
      ["try", true, "500 ms, overloaded"],
      ["step", false, "1.0 s, first token after 400 ms"],
    ])
    const unknown = { ...tool, state: "unknown" } as const
    const lost = lanesOf(inspected({ steps: [step({ attempts: [], tools: [unknown] })] }), 9_000)
    expect(lost.map(({ label, isBad, words }) => [label, isBad, words])).toEqual([
      ["Step 1", false, "1.0 s"],
      ["lookup", true, "500 ms, outcome unknown"],
    ])
  })

  it("[LOG-15] what runs grows with the time; what was broken off says so", () => {
    const open = step({ attempts: step().attempts.map((attempt) => ({ ...attempt, endedAt: null })) })
    const running = inspected({ turn: glance({ state: "running", endedAt: null }), steps: [open] })
    expect(lanesOf(running, 5_000)[0]).toMatchObject({ isOpen: true, words: expect.stringMatching(/^4\.0 s, so far/) })
    expect(lanesOf(running, 7_000)[0]?.words).toMatch(/^6\.0 s/)
    expect(lanesOf(inspected({ steps: [open] }), 5_000)[0]).toMatchObject({
      isOpen: false,
      words: expect.stringContaining("interrupted"),
    })
  })

  it("no lane leaves the frame, whatever the clocks said", () => {
    const at = fc.nat(10_000)
    fc.assert(
      fc.property(at, at, at, fc.option(at), (began, from, first, to) => {
        const attempts = step().attempts.map((one) => ({ ...one, startedAt: from, firstAt: first, endedAt: to }))
        const turn = inspected({
          turn: glance({ startedAt: began, endedAt: began + 100 }),
          steps: [step({ attempts })],
        })
        for (const lane of lanesOf(turn, 5_000)) {
          expect(lane.left).toBeGreaterThanOrEqual(0)
          expect(lane.left).toBeLessThan(100)
          expect(lane.width).toBeGreaterThan(0)
          expect(lane.width).toBeLessThanOrEqual(100)
          expect(lane.silent).toBeGreaterThanOrEqual(0)
          expect(lane.silent).toBeLessThanOrEqual(1)
        }
      }),
    )
  })
})

it("messages of a prompt are numbered and named by who speaks", () => {
  const titles = rolesOf([
    { role: "person", text: "a" },
    { role: "agent", parts: [] },
    { role: "tools", results: [] },
  ]).map(({ title }) => title)
  expect(titles).toEqual(["1 · Person", "2 · Agent", "3 · Tool results"])
})

it("[LOG-15] there is news when a turn begins, makes a step, waits or ends, and none while it speaks", () => {
  const state = {
    status: { turn: "t", state: "busy" },
    asks: [],
    messages: [{ id: "m1" }],
    turns: [{ id: "t", state: "running", steps: 0, step: null }],
  }
  const news = (change: object) => newsOf({ ...state, ...change } as never)
  const before = news({})
  expect(news({ messages: [{ id: "m1", parts: ["more"] }] })).toBe(before)
  expect(news({ messages: [{ id: "m1" }, { id: "m2" }] })).not.toBe(before)
  expect(news({ asks: [{}] })).not.toBe(before)
  expect(news({ turns: [{ id: "t", state: "running", steps: 0, step: { number: 1 } }] })).not.toBe(before)
  expect(news({ status: { turn: null, state: "idle" } })).not.toBe(before)
  expect(newsOf(undefined)).toBe("")
})
