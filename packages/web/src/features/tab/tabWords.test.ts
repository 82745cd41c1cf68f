import type { FeedRow } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { clock, openingWords, tabNotes, windowTitle } from "./tabWords.ts"

it("[TAB-6, TAB-27] screen readers hear everything the row shows", () => {
  const row = { title: "About crabs", labels: ["Sea"] } as unknown as FeedRow
  const tab = { key: "critic/main", agent: "critic", branch: "main", row }
  const capsules = [{ kind: "needs-you" }, { kind: "queued", count: 2, held: false }] as const
  expect(tabNotes(tab, capsules, "host")).toEqual(["with critic", "Sea", "needs you", "2 queued"])
  expect(tabNotes({ ...tab, row: undefined }, [], "critic")).toEqual(["draft"])
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
