import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { budgets, IDLE_MS, KEPT_SNAPSHOTS } from "./budgets.ts"
import {
  isHydrated,
  labelOf,
  mayWarm,
  nobody,
  type Residency,
  type ResidencyEvent,
  type Resident,
  type Residents,
  resided,
} from "./residency.ts"

const names = Array.from({ length: 9 }, (_, index) => `host/${index}`)
const run = (events: readonly ResidencyEvent[], from: Residents = nobody) => events.reduce(resided, from)
const states = (state: Residents) => Object.fromEntries([...state.tabs].map(([key, tab]) => [key, tab.residency]))
const open = (key: string, activation: number, at = activation): readonly ResidencyEvent[] => [
  { type: "opened", key, activation, at },
  { type: "painted", activation, at },
]
const listed = (...rows: readonly [string, ("pinned" | "archived" | "kept")?][]): ResidencyEvent => ({
  type: "listed",
  rows: rows.map(([key, mark]) => ({ key, pinned: mark === "pinned", archived: mark === "archived" })),
  kept: new Set(rows.flatMap(([key, mark]) => (mark === undefined ? [] : [key]))),
})

describe("[TAB-1] the states of a tab", () => {
  it("[TAB-15, TAB-16, TAB-17] opening goes through restoring; switching away makes recent; idling makes suspended; pressure makes discarded", () => {
    const opening = run([{ type: "opened", key: "a", activation: 1, at: 1 }])
    expect(states(opening)).toEqual({ a: "restoring" })
    const both = run([...open("a", 1), ...open("b", 2)])
    expect(states(both)).toEqual({ a: "recent", b: "active" })
    const idle = resided(both, { type: "ticked", at: 2 + IDLE_MS })
    expect(states(idle)).toEqual({ a: "suspended", b: "active" })
    const pressed = resided(idle, { type: "pressed" })
    expect(states(pressed)).toEqual({ a: "discarded", b: "active" })
    expect(states(run(open("a", 3), pressed))).toEqual({ a: "active", b: "recent" })
  })

  it("one that is left before it was painted is again what it was", () => {
    const start = run([listed(["kept", "kept"], ["gone"]), ...open("near", 1), ...open("b", 2)])
    for (const [key, was] of Object.entries({ kept: "suspended", gone: "discarded", near: "recent" })) {
      const left = run([{ type: "opened", key, activation: 3, at: 3 }, ...open("b", 4)], start)
      expect(states(left)[key]).toBe(was)
    }
  })

  it("[TAB-16] too many in memory suspend the one used longest ago, and a pinned one last", () => {
    const five = ["a", "b", "c", "d", "e"].flatMap((key, index) => open(key, index + 1))
    expect(states(run([...five, ...open("f", 6)]))).toMatchObject({ a: "suspended", b: "recent", f: "active" })
    const rows = ["a", "b", "c", "d", "e", "f"].map((key): [string, "pinned"?] =>
      key === "a" ? [key, "pinned"] : [key],
    )
    expect(states(run([listed(...rows), ...five, ...open("f", 6)]))).toMatchObject({ a: "recent", b: "suspended" })
  })

  it("[TAB-17] a pinned one is never discarded, however often there is pressure", () => {
    const some = run([listed(["p", "pinned"], ["q", "kept"]), ...open("x", 1)])
    const pressed = run([{ type: "pressed" }, { type: "pressed" }], some)
    expect(states(pressed)).toEqual({ p: "suspended", q: "discarded", x: "active" })
  })

  it("only so many snapshots are kept in the browser", () => {
    const many = Array.from({ length: KEPT_SNAPSHOTS + 3 }, (_, index): [string, "kept"] => [`t${index}`, "kept"])
    expect(Object.values(states(run([listed(...many)]))).filter((one) => one === "discarded")).toHaveLength(3)
  })

  it("[TAB-14] archiving lets go of the messages; what is deleted is forgotten, except in front", () => {
    const two = run([listed(["a"], ["b"]), ...open("a", 1), ...open("b", 2)])
    expect(states(resided(two, listed(["a", "archived"], ["b"])))).toEqual({ a: "suspended", b: "active" })
    expect(states(resided(two, listed()))).toEqual({ b: "active" })
  })

  it("[TAB-18] one word says it all: archived before restoring, active, pinned and the rest", () => {
    const tab = (residency: Residency, change: Partial<Resident> = {}): Resident => ({
      residency,
      before: "discarded",
      pinned: false,
      archived: false,
      usedAt: 0,
      ...change,
    })
    expect(labelOf(tab("active", { archived: true, pinned: true }))).toBe("archived")
    expect(labelOf(tab("restoring", { pinned: true }))).toBe("restoring")
    expect(labelOf(tab("active", { pinned: true }))).toBe("active")
    expect(labelOf(tab("suspended", { pinned: true }))).toBe("pinned")
    expect(labelOf(tab("recent"))).toBe("recent")
    expect(labelOf(tab("discarded"))).toBe("discarded")
  })
})

describe("[TAB-5] loading ahead", () => {
  it("two at once at most, never what is in memory or in front; what was discarded is then suspended", () => {
    const some = run([listed(["a"], ["b"], ["c"]), ...open("d", 1), { type: "warming", key: "a" }])
    expect(mayWarm(some, "a")).toBe(false)
    expect(mayWarm(some, "d")).toBe(false)
    const full = run(
      [
        { type: "warming", key: "b" },
        { type: "warming", key: "c" },
      ],
      some,
    )
    expect([...full.warming]).toEqual(["a", "b"])
    const done = run(
      [
        { type: "warmed", key: "a", kept: true },
        { type: "warmed", key: "b", kept: false },
      ],
      full,
    )
    expect(states(done)).toMatchObject({ a: "suspended", b: "discarded" })
    expect(run(open("a", 2), full).warming.has("a")).toBe(false)
  })
})

it("[TAB-1, TAB-3, TAB-5] whatever happens in whatever order, the budgets hold and no late answer brings a tab to the front", () => {
  const key = fc.constantFrom(...names)
  const at = fc.integer({ min: 0, max: 3 * IDLE_MS })
  const row = fc.record({ key, pinned: fc.boolean(), archived: fc.boolean() })
  /** How many openings ago the answer was asked for. */
  const late = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 5 }))
  const step = fc.oneof(
    fc.record({ type: fc.constant("opened" as const), key, at }),
    fc.record({ type: fc.constant("painted" as const), late, at }),
    fc.record({ type: fc.constant("left" as const), late, at }),
    fc.record({ type: fc.constant("ticked" as const), at }),
    fc.constant({ type: "pressed" as const }),
    fc.record({ type: fc.constant("warming" as const), key }),
    fc.record({ type: fc.constant("warmed" as const), key, kept: fc.boolean() }),
    fc.record({
      type: fc.constant("listed" as const),
      rows: fc.uniqueArray(row, { selector: (one) => one.key }),
      kept: fc.uniqueArray(key).map((keys) => new Set(keys)),
    }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let state = nobody
      let activation = 0
      for (const one of steps) {
        if (one.type === "opened") activation += 1
        const event: ResidencyEvent =
          one.type === "opened"
            ? { ...one, activation }
            : "late" in one
              ? { type: one.type, at: one.at, activation: activation - one.late }
              : one
        const before = state
        state = resided(before, event)
        check(before, event, state)
      }
    }),
    { numRuns: 300 },
  )
})

function check(before: Residents, event: ResidencyEvent, after: Residents): void {
  const tabs = [...after.tabs]
  const inFront = tabs.filter(([, tab]) => tab.residency === "active" || tab.residency === "restoring")
  expect(inFront.map(([key]) => key)).toEqual(after.front === undefined ? [] : [after.front])
  expect(tabs.filter(([, tab]) => isHydrated(tab)).length).toBeLessThanOrEqual(budgets.hydratedTabs)
  expect(after.warming.size).toBeLessThanOrEqual(budgets.backgroundRestores)
  expect(after.front === undefined || !after.warming.has(after.front)).toBe(true)
  for (const [key, tab] of tabs) {
    const was = before.tabs.get(key)
    const hadNothing = was === undefined || was.residency === "discarded" || goesBackToNothing(was)
    if (tab.pinned && tab.residency === "discarded") expect(hadNothing).toBe(true)
  }
  const isLate = (event.type === "painted" || event.type === "left") && event.activation !== before.activation
  if (isLate) expect(after).toBe(before)
}

function goesBackToNothing(tab: Resident): boolean {
  return tab.residency === "restoring" && tab.before === "discarded"
}
