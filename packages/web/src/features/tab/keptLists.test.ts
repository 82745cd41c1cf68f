import type { FeedRow } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { keepIn } from "../keep/keep.ts"
import { KEPT_SUMMARIES } from "./budgets.ts"
import { keptListsIn } from "./keptLists.ts"

function memory() {
  const items = new Map<string, string>()
  const keep = keepIn(() => ({
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  }))
  return { items, keep }
}
const row = (branch: string) =>
  ({
    agent: "host",
    branch,
    title: "t",
    preview: "p",
    activityAt: 1,
    state: "busy",
    queued: 2,
    unread: true,
  }) as FeedRow

describe("what this browser keeps about tabs", () => {
  it("[TAB-20] another window hears of what was begun", () => {
    const { keep, items } = memory()
    const one = keptListsIn(keep, "p")
    const other = keptListsIn(keep, "p")
    one.change({ begun: ["critic/main"] })
    expect(other.lists.get().begun).toEqual([])
    other.hear("something.else")
    expect(other.lists.get().begun).toEqual([])
    for (const key of items.keys()) other.hear(key)
    expect(other.lists.get()).toEqual(one.lists.get())
    expect(keptListsIn(keep, "p").lists.get()).toEqual({ begun: ["critic/main"] })
  })

  it("[TAB-2] the last words about each are there at once after a reload, without what may have changed", () => {
    const { keep } = memory()
    keptListsIn(keep, "p").keepSummaries(Array.from({ length: 99 }, (_, index) => row(String(index))))
    const rows = keptListsIn(keep, "p").summaries()
    expect(rows).toHaveLength(KEPT_SUMMARIES)
    expect(rows[0]).toMatchObject({ branch: "0", title: "t", state: "idle", queued: 0, unread: false })
  })

  it("[SEC-2] is nobody else's, and is forgotten with the person", () => {
    const { keep, items } = memory()
    const one = keptListsIn(keep, "p")
    one.change({ begun: ["host/secret"] })
    one.keepSummaries([row("secret")])
    expect(keptListsIn(keep, "q").lists.get().begun).toEqual([])
    expect(keptListsIn(keep, "q").summaries()).toEqual([])
    one.forget()
    expect([...items.values()].join()).not.toContain("secret")
  })

  it.each(["", "{", "null", "7", '{"order":7,"closed":[{"key":1},null],"begun":[7,null]}', "[]"])(
    "nonsense is nothing: %s",
    (text) => {
      const { keep } = memory()
      keep.write("parlor.tabs.lists.p", text)
      keep.write("parlor.tabs.rows.p", text)
      expect(keptListsIn(keep, "p").lists.get()).toEqual({ begun: [] })
      expect(keptListsIn(keep, "p").summaries()).toEqual([])
    },
  )

  it("a browser that keeps nothing still has them for this page", () => {
    const refusing = keepIn(() => {
      throw new Error("denied")
    })
    const lists = keptListsIn(refusing, "p")
    lists.change({ begun: ["host/a"] })
    expect(lists.lists.get().begun).toEqual(["host/a"])
  })
})
