import type { AskRow, ToolPart } from "@parlor/protocol"
import { askWith } from "@parlor/protocol/testing"
import { describe, expect, it } from "vitest"
import { closedWords, followAsks, type Scene, type ShownAsk, toolOf } from "./askView.ts"

const row = (change: Partial<AskRow> = {}) => askWith({ call: "c1", kind: "approval", title: "May it?", ...change })
const tool = (change: Partial<ToolPart> = {}): ToolPart => ({
  type: "tool",
  call: "c1",
  name: "delete_file",
  input: {},
  state: "waiting",
  output: null,
  error: null,
  ...change,
})
const open: Scene = { open: [row()], turn: "trn_1", lastMessage: "m1", now: 100 }
const closed: Scene = { ...open, open: [] }
const shown = followAsks([], open)
const only = (list: readonly ShownAsk[]) => {
  expect(list).toHaveLength(1)
  return list[0] as ShownAsk
}

describe("asks", () => {
  it("[TRN-12] an open ask is shown, and nothing changes while nothing happens", () => {
    expect(only(shown)).toMatchObject({ closed: undefined, draft: "" })
    expect(followAsks(shown, open)).toBe(shown)
  })

  it("[TRN-12] one that goes away is closed at once, and says how", () => {
    expect(only(followAsks(shown, closed)).closed).toBe("answered")
    expect(only(followAsks(shown, { ...closed, turn: null })).closed).toBe("withdrawn")
    const brief = followAsks([], { ...open, open: [row({ expiresAt: 90 })] })
    expect(only(followAsks(brief, closed)).closed).toBe("expired")
    expect(only(followAsks(shown, { ...open, open: [row({ state: "expired" })] })).closed).toBe("expired")
  })

  it("a closed one leaves with the next message, unless somebody was writing in it here", () => {
    const gone = followAsks(shown, closed)
    expect(followAsks(gone, closed)).toBe(gone)
    expect(followAsks(gone, { ...closed, lastMessage: "m2" })).toEqual([])
    const written = followAsks(
      shown.map((one) => ({ ...one, draft: "my words" })),
      closed,
    )
    expect(only(followAsks(written, { ...closed, lastMessage: "m2" })).draft).toBe("my words")
    const mine = shown.map((one) => ({ ...one, draft: "sent", mine: { answer: "sent" } }))
    expect(only(followAsks(mine, closed))).toMatchObject({ closed: "answered", draft: "" })
  })

  it("[TRN-12] how it ended is told in words", () => {
    const gone = only(followAsks(shown, closed))
    expect(closedWords(gone, tool())).toBe("Answered in another window.")
    expect(closedWords(gone, tool({ state: "started" }))).toBe("Allowed in another window.")
    const refused = tool({ state: "failed", error: { code: "tool.refused", detail: "" } })
    expect(closedWords(gone, refused)).toBe("Denied in another window.")
    expect(closedWords({ ...gone, mine: { answer: false } }, refused)).toBe("You denied this.")
    expect(closedWords({ ...gone, closed: "withdrawn" }, undefined)).toContain("stopped")
  })

  it("the call it is about is found in the newest message that has it", () => {
    const messages = [{ parts: [tool({ name: "old" })] }, { parts: [tool()] }, { parts: [] }]
    expect(toolOf(row(), messages)?.name).toBe("delete_file")
    expect(toolOf(row({ call: "budget-1" }), messages)).toBeUndefined()
  })
})
