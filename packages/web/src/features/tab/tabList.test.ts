import type { FeedRow } from "@parlor/protocol"
import { feedRowWith } from "@parlor/protocol/testing"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { KEPT_BEGUN, KEPT_CLOSED } from "./budgets.ts"
import {
  indexAt,
  inOrder,
  isClosed,
  listingOf,
  movedTo,
  neighbor,
  settledBegun,
  settledOrder,
  type Tab,
  type TabLists,
  titleOf,
  withClosed,
} from "./tabList.ts"

const row = (branch: string, activityAt: number, change: Partial<FeedRow> = {}) =>
  feedRowWith({ branch, activityAt, ...change })
const tab = (branch: string, change: Partial<FeedRow> = {}, activityAt = 0): Tab => {
  return { key: `host/${branch}`, agent: "host", branch, row: row(branch, activityAt, change) }
}
const none: TabLists = { order: [], closed: [], begun: [] }
const branches = (tabs: readonly Tab[]) => tabs.map(({ branch }) => branch).join(" ")
const front = (branch: string) => ({ agent: "host", branch })

describe("[TAB-13, TAB-19] which tabs there are", () => {
  it("all that are not archived, no sidecars, and the one in front even before anything is in it", () => {
    const rows = [row("a", 1), row("b", 3), row("old", 2, { archived: true }), row("aside", 9, { ephemeral: true })]
    const listing = listingOf(rows, none, front("new"))
    expect(branches(listing.open)).toBe("new b a")
    expect(branches(listing.archived)).toBe("old")
    expect(branches(listingOf(rows, none, front("aside")).open)).toBe("aside b a")
  })

  it("[TAB-22] one that was closed is away until it is in front, or has something new to read or to answer", () => {
    const lists: TabLists = { ...none, closed: [{ key: "host/a", activityAt: 5 }] }
    const open = (a: FeedRow, inFront = "b") => branches(listingOf([a, row("b", 1)], lists, front(inFront)).open)
    expect(open(row("a", 5))).toBe("b")
    expect(open(row("a", 5), "a")).toBe("a b")
    expect(open(row("a", 6))).toBe("b")
    expect(open(row("a", 6, { unread: true }))).toBe("a b")
    expect(open(row("a", 6, { asks: 1 }))).toBe("a b")
    expect(open(row("a", 5, { unread: true }))).toBe("b")
  })

  it("[TAB-20] one in which something is written and nothing was said stays, until it is closed or something is said", () => {
    const open = (lists: Partial<TabLists>, inFront = "b", rows = [row("b", 1)]) =>
      branches(listingOf(rows, { ...none, ...lists }, front(inFront)).open)
    expect(open({ begun: ["host/main", "host/b"] })).toBe("main b")
    expect(open({ begun: ["host/main"] }, "main")).toBe("main b")
    expect(open({ begun: ["host/main"], closed: [{ key: "host/main", activityAt: 0 }] })).toBe("b")
    expect(open({ begun: ["host/aside"] }, "b", [row("b", 1), row("aside", 2, { ephemeral: true })])).toBe("b")
    expect(listingOf([], { ...none, begun: ["critic/main"] }, undefined).open).toEqual([
      { key: "critic/main", agent: "critic", branch: "main", row: undefined },
    ])
  })

  it("[TAB-20] which those are is kept: the one in front joins them when it is written in, and who speaks leaves them", () => {
    const begun = ["host/a", "host/b"]
    const settled = (rows: readonly FeedRow[], key: string, isDrafted: boolean) =>
      settledBegun(rows, begun, { key, isDrafted })
    expect(settled([], "host/c", false)).toBe(begun)
    expect(settled([], "host/a", true)).toBe(begun)
    expect(settled([], "host/c", true)).toEqual(["host/a", "host/b", "host/c"])
    expect(settled([row("a", 1), row("c", 1)], "host/c", true)).toEqual(["host/b"])
    const many = Array.from({ length: KEPT_BEGUN }, (_, index) => `host/${index}`)
    expect(settledBegun([], many, { key: "host/new", isDrafted: true })).toEqual([...many.slice(1), "host/new"])
  })

  it("[TAB-22] closing remembers when the conversation last moved, and only so many", () => {
    const closed = withClosed([{ key: "host/a", activityAt: 1 }], tab("a", {}, 9))
    expect(closed).toEqual([{ key: "host/a", activityAt: 9 }])
    expect(isClosed(closed, "host/b", undefined)).toBe(false)
    const many = Array.from({ length: KEPT_CLOSED }, (_, index) => ({ key: `host/${index}`, activityAt: 0 }))
    expect(withClosed(many, tab("a"))).toHaveLength(KEPT_CLOSED)
  })

  it("closing the one in front goes to the next, or to the one before it", () => {
    const open = [tab("a"), tab("b"), tab("c")]
    expect(neighbor(open, "host/b")?.branch).toBe("c")
    expect(neighbor(open, "host/c")?.branch).toBe("b")
    expect(neighbor([tab("a")], "host/a")).toBeUndefined()
  })
})

describe("the order of the tabs", () => {
  it("pinned first, new ones above the others, the rest as the person has them", () => {
    const tabs = [tab("a"), tab("b"), tab("p", { pinned: true }), tab("n1", {}, 1), tab("n2", {}, 2)]
    expect(branches(inOrder(tabs, ["host/b", "host/p", "host/a"]))).toBe("p n2 n1 b a")
  })

  it("stays as it appeared: activity moves nothing once a place is kept", () => {
    const before = inOrder([tab("a", {}, 1), tab("b", {}, 2)], [])
    const order = settledOrder(before, ["host/gone"])
    expect(order).toEqual(["host/b", "host/a", "host/gone"])
    expect(branches(inOrder([tab("a", {}, 99), tab("b", {}, 2)], order))).toBe("b a")
    expect(settledOrder(before, order)).toBe(order)
  })

  it("moving keeps every tab, once, and the pinned ones on top", () => {
    const tabs = fc.array(fc.boolean(), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(tabs, fc.nat(11), fc.integer({ min: -3, max: 14 }), (pins, which, index) => {
        const open = inOrder(
          pins.map((pinned, name) => tab(String(name), { pinned })),
          [],
        )
        const key = `host/${which % pins.length}`
        const keys = movedTo(open, key, index)
        expect(keys.toSorted()).toEqual(open.map((one) => one.key).toSorted())
        const after = keys.map((one) => open.find((other) => other.key === one)?.row?.pinned)
        expect(after.toSorted((a, b) => Number(b) - Number(a))).toEqual(after)
        expect(branches(inOrder(open, keys))).toBe(keys.map((one) => one.slice(5)).join(" "))
      }),
    )
  })

  it("moves to where it is let go", () => {
    const open = [tab("a"), tab("b"), tab("c")]
    expect(movedTo(open, "host/a", 2)).toEqual(["host/b", "host/c", "host/a"])
    expect(movedTo(open, "host/c", 0)).toEqual(["host/c", "host/a", "host/b"])
    expect(movedTo(open, "host/x", 0)).toEqual(["host/a", "host/b", "host/c"])
    expect([indexAt(0, [10, 30]), indexAt(20, [10, 30]), indexAt(99, [10, 30])]).toEqual([0, 1, 2])
  })
})

it("a tab is called by its title, or by whose it is", () => {
  expect(titleOf(tab("a", { title: "Crabs" }))).toBe("Crabs")
  expect(titleOf(tab("a"))).toBe("host · a")
  expect(titleOf({ agent: "host", branch: "main", row: undefined })).toBe("host")
})
