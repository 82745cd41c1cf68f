import type { FeedRow } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { agoWords, clock, openingWords, tabLabel, windowTitle } from "./tabWords.ts"

const MINUTE = 60_000

it.each([
  [0, "now"],
  [5 * MINUTE, "5m"],
  [3 * 60 * MINUTE, "3h"],
  [2 * 24 * 60 * MINUTE, "2d"],
])("%i ms ago is %s", (ago, words) => {
  expect(agoWords(1e12 - ago, 1e12)).toBe(words)
})

it("longer ago is a date", () => {
  expect(agoWords(Date.UTC(2026, 0, 15, 12), Date.UTC(2026, 5, 1))).toMatch(/15/)
})

it("[TAB-6, TAB-27] screen readers hear everything the row shows", () => {
  const row = { title: "About crabs", pinned: true } as FeedRow
  const tab = { key: "host/main", agent: "host", branch: "main", row }
  expect(tabLabel(tab, [{ kind: "needs-you" }, { kind: "queued", count: 2, held: false }])).toBe(
    "About crabs, host, pinned, needs you, 2 queued",
  )
  expect(tabLabel({ ...tab, row: undefined }, [])).toBe("host")
})

describe("[TAB-2, TAB-4] while a conversation opens", () => {
  const row = { queued: 2, asks: 1, latestFile: "notes.md" }
  it("says since when what is shown is old, and what waits", () => {
    const at = Date.UTC(2026, 0, 1, 14, 3)
    expect(openingWords(at, undefined)).toBe(`As of ${clock(at)}, loading new messages…`)
    expect(openingWords(at, row)).toBe(
      `As of ${clock(at)}, loading new messages… One question for you, 2 in the queue, latest file notes.md.`,
    )
    expect(openingWords(undefined, { ...row, asks: 2 })).toMatch(/^Loading\. 2 questions for you/)
    expect(openingWords(undefined, { queued: 0, asks: 0, latestFile: null })).toBeUndefined()
  })
})

it("[TAB-6] the window's title counts those that need the person", () => {
  expect(windowTitle("host", 0)).toBe("host · Parlor")
  expect(windowTitle("host", 2)).toBe("(2) host · Parlor")
})
