import { type LiveState, loadingState } from "@parlor/client"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { budgets } from "./budgets.ts"
import { noTabs, step, type TabEvent, type Tabs } from "./machine.ts"
import { isHydrated } from "./residency.ts"

const ready = (title: string): LiveState => ({ ...loadingState, phase: "ready", title })
const keyOf = (index: number) => `host/b${index}`

const index = fc.nat(7)
const pane = fc.constantFrom("front", "side")
const activation = fc.integer({ min: 1, max: 12 })
const at = fc.nat(100)
const anyEvent: fc.Arbitrary<TabEvent> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ index, pane, at }).map(({ index, pane, at }): TabEvent => opens(index, pane, at)),
  },
  fc.record({ activation, index }).map(({ activation, index }): TabEvent => {
    return { type: "snapshot", activation, kept: { state: ready(keyOf(index)), asOf: 1 } }
  }),
  fc.record({ activation, index }).map(({ activation, index }): TabEvent => {
    return { type: "news", activation, state: ready(keyOf(index)) }
  }),
  fc.record({ activation, at }).map(({ activation, at }): TabEvent => ({ type: "painted", activation, at })),
  fc.record({ activation, at, index }).map(({ activation, at, index }): TabEvent => {
    return { type: "left", activation, at, last: ready(keyOf(index)) }
  }),
  fc.constantFrom<TabEvent>({ type: "pressed" }, { type: "forgotten" }),
)

function opens(index: number, pane: string, at: number): TabEvent {
  return { type: "opened", pane, key: keyOf(index), isFront: pane === "front", live: undefined, at }
}

function run(events: readonly TabEvent[]): Tabs {
  return events.reduce(step, noTabs)
}

describe("[TAB-3] whatever comes in for an opening that is over changes nothing", () => {
  it("in any order of events", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) => {
        const tabs = run(events)
        const current = new Set([...tabs.panes.values()].map((shown) => shown.activation))
        for (let over = 1; over <= tabs.lastActivation; over++) {
          if (current.has(over) || over === tabs.residents.activation) continue
          for (const late of [
            { type: "snapshot", activation: over, kept: { state: ready("late"), asOf: 1 } },
            { type: "news", activation: over, state: ready("late") },
            { type: "painted", activation: over, at: 1 },
            { type: "left", activation: over, at: 1, last: ready("late") },
          ] as const)
            expect(step(tabs, late)).toBe(tabs)
        }
      }),
    )
  })
})

describe("[TAB-5] what is held is within the budget", () => {
  it("in any order of events: few tabs in memory, messages only of those, one pane for each place", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 60 }), (events) => {
        const { residents, panes } = run(events)
        const all = [...residents.tabs.values()]
        expect(all.filter(isHydrated).length).toBeLessThanOrEqual(budgets.hydratedTabs)
        expect(all.filter((tab) => tab.held !== undefined && !isHydrated(tab))).toEqual([])
        expect(panes.size).toBeLessThanOrEqual(2)
        expect([...panes.values()].filter(({ isPainted, from }) => isPainted && from !== "live")).toEqual([])
      }),
    )
  })
})

it("[TAB-2] opening goes from what memory holds to the conversation itself, and leaving keeps what was seen", () => {
  const first = run([opens(1, "front", 1), { type: "news", activation: 1, state: ready("one") }])
  const painted = step(first, { type: "painted", activation: 1, at: 2 })
  expect(painted.residents.tabs.get(keyOf(1))?.residency).toBe("active")
  const left = step(painted, { type: "left", activation: 1, at: 3, last: ready("one") })
  expect([left.panes.size, left.residents.tabs.get(keyOf(1))?.residency]).toEqual([0, "recent"])
  const again = step(left, opens(1, "front", 4))
  expect(again.panes.get("front")).toMatchObject({ from: "held", asOf: 3, activation: 2, isPainted: false })
  const forgotten = step(again, { type: "forgotten" })
  expect(forgotten.residents.tabs.get(keyOf(1))?.held).toBeUndefined()
})

it("[TAB-5] a conversation beside the one in front changes nothing of what tabs hold", () => {
  const front = run([opens(1, "front", 1)])
  const both = step(front, opens(2, "side", 2))
  expect(both.residents).toBe(front.residents)
  expect(both.panes.size).toBe(2)
  expect(step(both, { type: "left", activation: 2, at: 3, last: ready("two") }).residents).toBe(front.residents)
})
