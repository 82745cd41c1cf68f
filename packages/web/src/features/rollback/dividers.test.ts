import type { MessageId } from "@parlor/protocol"
import { rollbackWith } from "@parlor/protocol/testing"
import { expect, it } from "vitest"
import { dividersBelow } from "./dividers.ts"

const messages = [1, 2, 3, 4, 5].map((ord) => ({ id: `m${ord}` as MessageId, ord }))
it("[RBK-1] [RBK-2] a divider stands below what is dimmed, so that new messages come below it", () => {
  const dividers = dividersBelow(messages, [rollbackWith("r", { toOrd: 1, fromOrd: 3 })])
  expect([...dividers.keys()]).toEqual(["m3"])
  expect(dividers.get("m3")).toEqual([{ id: "r", words: "Rolled back", canCancel: true }])
})

it("[RBK-6] of several only the newest offers to cancel, and what was canceled has none", () => {
  const dividers = dividersBelow(messages, [
    rollbackWith("outer", { toOrd: 1, fromOrd: 3, began: 5, scope: "both" }),
    rollbackWith("inner", { toOrd: 4, fromOrd: 5, began: 9, cancels: "gone" }),
    rollbackWith("gone", { toOrd: 0, fromOrd: 5, began: 7, ended: 8 }),
  ])
  expect([...dividers].map(([id, list]) => [id, list.map(({ canCancel }) => canCancel)])).toEqual([
    ["m3", [false]],
    ["m5", [true]],
  ])
  expect(dividers.get("m5")?.[0]?.words).toContain("canceled")
})

it("[LOG-9] one whose messages are not loaded yet is not shown", () => {
  expect(dividersBelow(messages.slice(3), [rollbackWith("r", { toOrd: 0, fromOrd: 2 })]).size).toBe(0)
})
