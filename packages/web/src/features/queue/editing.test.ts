import type { QueueRow } from "@parlor/protocol"
import { queuedWith } from "@parlor/protocol/testing"
import { describe, expect, it } from "vitest"
import { isChanged, openedFor, standingOf } from "./editing.ts"

const row = (change: Partial<QueueRow> = {}) =>
  queuedWith("msg_1", { payload: { source: "as it was" }, mode: "queued", version: 3, position: "a0", ...change })

describe("a message open for editing", () => {
  const editing = { ...openedFor(row()), text: "as I want it" }

  it("[QUE-7] is saved with the version it has, also when it was only moved or paused meanwhile", () => {
    expect(standingOf(editing, [row()])).toEqual({ kind: "fits", version: 3 })
    expect(standingOf(editing, [row({ version: 4, mode: "paused" })])).toEqual({ kind: "fits", version: 4 })
  })

  it("[QUE-7] whose text another window changed says so, with the text that is there now", () => {
    const theirs = row({ version: 4, payload: { source: "as they want it" } })
    expect(standingOf(editing, [theirs])).toEqual({ kind: "changed", version: 4, theirs: "as they want it" })
    const same = row({ version: 4, payload: { source: "as I want it" } })
    expect(standingOf(editing, [same])).toEqual({ kind: "fits", version: 4 })
  })

  it("[QUE-9] that started or was removed is gone, and what was written is worth keeping only if it is new", () => {
    expect(standingOf(editing, [])).toEqual({ kind: "gone" })
    expect(isChanged(editing)).toBe(true)
    expect(isChanged(openedFor(row()))).toBe(false)
    expect(isChanged({ ...editing, text: "  " })).toBe(false)
  })
})
