import { expect, test } from "vitest"
import { waiting } from "../test/rows.ts"
import { heldLine, queuedId, queueLines, shortened } from "./queue-lines.ts"

const queue = [
  waiting("m1", "first", { mode: "steer" }),
  waiting("m2", "second\nmore", { source: "schedule", lease: { holder: "tab", until: 100 } }),
]

test("[QUE-13] the list is a table of position, id, mode, source and text", () => {
  expect(queueLines(queue, 50)).toEqual([
    "1  m1  steer   person    first",
    "2  m2  queued  schedule  second… (being edited)",
  ])
  expect(queueLines(queue, 100)[1]).toBe("2  m2  queued  schedule  second…")
})

test("[QUE-7] a message is named by its position or by its id", () => {
  expect(queuedId(queue, "2")).toBe("m2")
  expect(queuedId(queue, "msg_gone")).toBe("msg_gone")
  expect(() => queuedId(queue, "3")).toThrow("2 messages")
  expect(() => queuedId([], "1")).toThrow("The queue is empty")
})

test("[QUE-5] a held queue says why and how to resume it", () => {
  expect(heldLine({ reason: "stopped", since: 0 }, "/resume")).toBe(
    "The queue is paused: a turn was stopped. Resume it with /resume.",
  )
  const failed = { reason: "error", since: 0, until: Date.UTC(2026, 2, 1, 9, 30) } as const
  expect(heldLine(failed, "/resume")).toContain("It continues by itself at 09:30 UTC. Resume it with /resume.")
  expect(heldLine({ ...failed, only: "triggers" }, "/resume")).toContain("Messages from triggers start from 09:30 UTC.")
})

test("a line is truncated and contains no control characters", () => {
  expect(shortened("x".repeat(200), 10)).toBe(`${"x".repeat(10)}…`)
  expect(shortened("\u001b[2J")).toBe("␛[2J")
})
