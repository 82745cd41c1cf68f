import type { MessageId } from "@parlor/protocol"
import { expect, it } from "vitest"
import { NO_ORDER, newSince, orderOf } from "./order.ts"

const messages = (...ids: readonly string[]) => ids.map((id) => ({ id: id as MessageId }))

it("[TAB-7] stays the same object while the rows are the same", () => {
  const order = orderOf(NO_ORDER, messages("a", "b"), ["thinking"])
  expect(order.keys).toEqual(["a", "b", "thinking"])
  expect(orderOf(order, messages("a", "b"), ["thinking"])).toBe(order)
})

it("another row anywhere is another order", () => {
  const order = orderOf(NO_ORDER, messages("a", "b"), ["thinking"])
  for (const [changed, below] of [
    [messages("o", "a", "b"), ["thinking"]],
    [messages("a", "c"), ["thinking"]],
    [messages("a", "b"), []],
    [messages("a", "b"), ["retry"]],
    [messages("a", "b", "c"), []],
  ] as const) {
    const next = orderOf(order, changed, below)
    expect(next).not.toBe(order)
    expect(next.keys).toEqual([...changed.map(({ id }) => id), ...below])
  }
})

it("counts what is new since the end was last seen", () => {
  const rows = [{ ord: 4 }, { ord: 5 }, { ord: 8 }]
  expect(newSince(rows, 8)).toBe(0)
  expect(newSince(rows, 5)).toBe(1)
  expect(newSince(rows, 4)).toBe(2)
  expect(newSince([], 4)).toBe(0)
})
