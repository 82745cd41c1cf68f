import type { FeedRow } from "@parlor/protocol"
import { feedRowWith } from "@parlor/protocol/testing"
import { describe, expect, it } from "vitest"
import { KEPT_BEGUN } from "./budgets.ts"
import {
  groupsOf,
  inOrder,
  labelsOf,
  lastDeleted,
  listingOf,
  settledBegun,
  type Tab,
  type TabLists,
  titleOf,
} from "./tabList.ts"

const row = (branch: string, activityAt: number, change: Partial<FeedRow> = {}) =>
  feedRowWith({ branch, activityAt, ...change })
const tab = (branch: string, change: Partial<FeedRow> = {}, activityAt = 0): Tab => {
  return { key: `host/${branch}`, agent: "host", branch, row: row(branch, activityAt, change) }
}
const none: TabLists = { begun: [] }
const branches = (tabs: readonly Tab[]) => tabs.map(({ branch }) => branch).join(" ")
const front = (branch: string) => ({ agent: "host", branch })

describe("[TAB-13, TAB-19] which conversations are listed", () => {
  it("all that are not archived, deleted or sidecars; a sidecar only while it is in front", () => {
    const rows = [
      row("a", 1),
      row("b", 3),
      row("old", 2, { archived: true }),
      row("aside", 9, { ephemeral: true }),
      row("gone", 8, { deleteAt: 9 }),
      row("its-aside", 8, { deleteAt: 9, ephemeral: true }),
    ]
    const listing = listingOf(rows, none, front("new"))
    expect(branches(listing.open)).toBe("b a")
    expect(branches(listing.archived)).toBe("old")
    expect(branches(listing.leaving)).toBe("gone its-aside")
    expect(branches(listingOf(rows, none, front("aside")).open)).toBe("aside b a")
  })

  it("[TAB-22] an empty one is left out, even in front; one that was rolled back to its beginning is not empty", () => {
    const rows = [row("a", 1), row("empty", 3, { spoken: false }), row("rolled-back", 2, { spoken: true })]
    expect(branches(listingOf(rows, none, front("empty")).open)).toBe("rolled-back a")
  })

  it("[TAB-22] of rows from before that was known, those without a title and a preview are empty", () => {
    const rows = [
      row("bare", 3, { spoken: null }),
      row("titled", 2, { spoken: null, title: "T" }),
      row("said", 1, { spoken: null, preview: "p" }),
    ]
    expect(branches(listingOf(rows, none, undefined).open)).toBe("titled said")
  })

  it("[TAB-20] one in which something is written and nothing was said stays, until something is said", () => {
    const open = (begun: readonly string[], rows = [row("b", 1)]) =>
      branches(listingOf(rows, { begun }, front("b")).open)
    expect(open(["host/main", "host/b"])).toBe("main b")
    expect(open(["host/new"], [row("b", 1), row("new", 2, { spoken: false })])).toBe("new b")
    expect(listingOf([], { begun: ["critic/main"] }, undefined).open).toEqual([
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
})

describe("[TAB-21] the order of the conversations", () => {
  it("pinned first, then by last activity; drafts are newest", () => {
    const tabs = [tab("a", {}, 1), tab("b", {}, 3), tab("p", { pinned: true }), { ...tab("draft"), row: undefined }]
    expect(branches(inOrder(tabs))).toBe("p draft b a")
    expect(branches(inOrder([tab("a", {}, 9), ...tabs.slice(1)]))).toBe("p draft a b")
  })

  it("grouped by day, as people say it", () => {
    const now = new Date(2026, 5, 15, 9).getTime()
    const at = (year: number, month: number, day: number, hour = 12) => new Date(year, month, day, hour).getTime()
    const tabs = inOrder([
      tab("pinned", { pinned: true }, at(2020, 0, 1)),
      tab("now", {}, now),
      tab("midnight", {}, at(2026, 5, 15, 0)),
      tab("eve", {}, at(2026, 5, 14, 23)),
      tab("week", {}, at(2026, 5, 8)),
      tab("month", {}, at(2026, 4, 20)),
      tab("spring", {}, at(2026, 2, 3)),
      tab("past", {}, at(2025, 2, 3)),
    ])
    expect(groupsOf(tabs, now, "en").map(({ name, tabs: some }) => `${name}: ${branches(some)}`)).toEqual([
      "Pinned: pinned",
      "Today: now midnight",
      "Yesterday: eve",
      "Previous 7 days: week",
      "Previous 30 days: month",
      "March: spring",
      "March 2025: past",
    ])
  })
})

it("[ADR-10] what was deleted together is restored together", () => {
  const leaving = [tab("c", { deleteAt: 9_000 }), tab("b", { deleteAt: 8_000 }), tab("a", { deleteAt: 2_000 })]
  expect(branches(lastDeleted(leaving))).toBe("c b")
  expect(lastDeleted([])).toEqual([])
})

it("[ADR-9] labels in use are listed once, sorted", () => {
  expect(labelsOf([tab("a", { labels: ["Work", "Rome"] }), tab("b", { labels: ["Work"] })], "en")).toEqual([
    "Rome",
    "Work",
  ])
})

it("[TAB-37] a conversation is called by its title, never by its address", () => {
  expect(titleOf(tab("a", { title: "Crabs" }))).toBe("Crabs")
  expect(titleOf(tab("topic-13"))).toBe("New conversation")
  expect(titleOf({ row: undefined })).toBe("New conversation")
})
