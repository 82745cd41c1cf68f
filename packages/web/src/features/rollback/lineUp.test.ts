import type { MessageId, MessageRow } from "@parlor/protocol"
import { messageOf, rollbackWith } from "@parlor/protocol/testing"
import { describe, expect, it } from "vitest"
import { isMessage, type LineScene, lineUp } from "./lineUp.ts"

const row = (ord: number, change: Partial<MessageRow> = {}) =>
  messageOf(`m${ord}`, ord, `Words ${ord}`, { role: ord % 2 === 1 ? "person" : "agent", ...change })
const dim = (ord: number, change: Partial<MessageRow> = {}) => row(ord, { dimmed: true, ...change })
const editedFrom = (ord: number) => ({ editedFrom: `m${ord}` as MessageId })
const scene = (change: Partial<LineScene>): LineScene => ({
  messages: [],
  rollbacks: [],
  opened: new Set(),
  chosen: new Map(),
  ...change,
})
const shown = (change: Partial<LineScene>) =>
  lineUp(scene(change)).rows.map((one) =>
    isMessage(one) ? one.id : `${one.kind}${one.kind === "cut" ? one.count : ""}`,
  )

describe("a rolled back part", () => {
  const messages = [row(1), row(2), dim(3), dim(4), row(5)]
  const rollbacks = [rollbackWith("r", { toOrd: 2, fromOrd: 4 })]

  it("[RBK-1, RBK-2] is one line at the cut, with new messages below it", () => {
    expect(shown({ messages, rollbacks })).toEqual(["m1", "m2", "cut2", "m5"])
  })

  it("[RBK-1] opens below its line, and for a message that has to be shown", () => {
    expect(shown({ messages, rollbacks, opened: new Set(["cut r"]) })).toEqual(["m1", "m2", "cut2", "m3", "m4", "m5"])
    expect(shown({ messages, rollbacks, revealed: "m4" })).toEqual(["m1", "m2", "cut2", "m3", "m4", "m5"])
  })

  it("[RBK-6] of several only the newest offers to cancel; what was canceled has no line", () => {
    const two = [
      rollbackWith("outer", { toOrd: 0, fromOrd: 2, began: 5 }),
      rollbackWith("inner", { toOrd: 3, fromOrd: 4, began: 9, cancels: "gone" }),
      rollbackWith("gone", { toOrd: 0, fromOrd: 5, began: 7, ended: 8 }),
    ]
    const { rows } = lineUp(scene({ messages: [dim(1), dim(2), row(3), dim(4), row(5)], rollbacks: two }))
    const cuts = rows.flatMap((one) => (!isMessage(one) && one.kind === "cut" ? [one] : []))
    expect(cuts.map(({ cancel }) => cancel)).toEqual([undefined, "inner"])
    expect(cuts[1]?.words).toContain("canceled")
  })

  it("[RBK-4] of files alone is a line below what was the newest message", () => {
    const files = [rollbackWith("f", { toOrd: 1, fromOrd: 2, scope: "files" })]
    expect(shown({ messages: [row(1), row(2), row(3)], rollbacks: files })).toEqual(["m1", "m2", "cut0", "m3"])
  })

  it("[TAB-7] costs nothing where there is none", () => {
    expect(lineUp(scene({ messages })).rows).not.toBe(messages)
    const plain = [row(1), row(2)]
    expect(lineUp(scene({ messages: plain })).rows).toBe(plain)
  })
})

describe("[MSG-3] versions of a message", () => {
  const messages = [row(1), row(2), dim(3), dim(4), dim(5, editedFrom(3)), dim(6), row(7, editedFrom(5)), row(8)]
  const rollbacks = [
    rollbackWith("r1", { toOrd: 2, fromOrd: 4, began: 1 }),
    rollbackWith("r2", { toOrd: 2, fromOrd: 6, began: 2 }),
  ]

  it("are counted, and the earlier ones have no line", () => {
    expect(shown({ messages, rollbacks })).toEqual(["m1", "m2", "m7", "m8"])
    expect(lineUp(scene({ messages, rollbacks })).versions.get("m7")?.ids).toEqual(["m3", "m5", "m7"])
  })

  it("an earlier one is read in the place of the one in force, with what followed it then", () => {
    const read = (id: string) => shown({ messages, rollbacks, chosen: new Map([["m3", id]]) })
    expect(read("m3")).toEqual(["m1", "m2", "m3", "m4", "old"])
    expect(read("m5")).toEqual(["m1", "m2", "m5", "m6", "old"])
    expect(read("m7")).toEqual(["m1", "m2", "m7", "m8"])
  })

  it("the one before can be used again by canceling; an older one continues in a branch", () => {
    const last = (id: string) => {
      const old = lineUp(scene({ messages, rollbacks, chosen: new Map([["m3", id]]) })).rows.at(-1)
      return old !== undefined && !isMessage(old) ? old.cancel : "none"
    }
    expect([last("m5"), last("m3")]).toEqual(["r2", undefined])
  })

  it("after canceling, the later one is the earlier version's sibling, not a line", () => {
    const back = [row(1), row(2), row(3), row(4), dim(5, editedFrom(3)), dim(6)]
    const cancel = [rollbackWith("r3", { toOrd: 4, fromOrd: 6, cancels: "r1" })]
    expect(shown({ messages: back, rollbacks: cancel })).toEqual(["m1", "m2", "m3", "m4"])
    expect(shown({ messages: back, rollbacks: cancel, chosen: new Map([["m3", "m5"]]) })).toEqual([
      "m1",
      "m2",
      "m5",
      "m6",
      "old",
    ])
  })
})
