import { emptyRows, fold, type QueueRow, queuePlace, type RollbackRow, withDeltas } from "@parlor/protocol"
import { queuedWith, rollbackWith } from "@parlor/protocol/testing"
import fc from "fast-check"
import { expect, test } from "vitest"
import { Log, said, snapshotOf, typed } from "../../test/rows.ts"
import { Window } from "./window.ts"

/** A reply of two texts with a tool call between them, as a server writes it. */
function replyLog(): Log {
  const log = new Log()
  const tool = { type: "tool", call: "c", name: "t", input: {}, state: "started", output: null, error: null } as const
  log.message(typed("p", 1, "hi"))
  log.message(said("a", 2, "", { state: "streaming" }))
  for (let n = 0; n < 4; n++) log.delta("a", n, `<${n}>`)
  const first = { type: "text", text: "<0><1><2><3>" } as const
  log.message(said("a", 2, "", { state: "streaming", parts: [first, tool] }), "update")
  for (let n = 0; n < 3; n++) log.delta("a", n, `{${n}}`, 2)
  log.message(
    said("a", 2, "", { parts: [first, { ...tool, state: "done" }, { type: "text", text: "{0}{1}{2}" }] }),
    "update",
  )
  return log
}

function reference(log: Log, upTo: number) {
  const rows = fold(emptyRows(), log.changes.slice(0, upTo))
  return [...rows.messages.values()].sort((a, b) => a.ord - b.ord).map((row) => withDeltas(row, rows.deltas.values()))
}

test("[LOG-8] a snapshot at any point and the changes after it show what the whole log shows", () => {
  const log = replyLog()
  const total = log.changes.length
  fc.assert(
    fc.property(fc.nat(total), fc.array(fc.integer({ min: 1, max: 4 })), (start, sizes) => {
      const window = new Window(snapshotOf(reference(log, start), start))
      let at = start
      for (const size of [...sizes, total]) {
        window.apply(log.changes.slice(at, at + size))
        at = Math.min(total, at + size)
        expect(window.messages()).toEqual(reference(log, at))
      }
    }),
  )
})

test("messages that did not change keep their identity", () => {
  const log = replyLog()
  const window = new Window(snapshotOf([], 0))
  window.apply(log.changes.slice(0, 3))
  const before = window.messages()
  expect(window.messages()).toBe(before)
  window.apply(log.changes.slice(3, 4))
  const after = window.messages()
  expect(after).not.toBe(before)
  expect(after[0]).toBe(before[0])
  expect(after[1]).not.toBe(before[1])
  window.apply([new Log().status({ state: "busy" })])
  expect(window.messages()).toBe(after)
})

test("[LOG-9] an older page goes before the first message; changes before the window stay hidden until then", () => {
  const rows = [1, 2, 3, 4].map((ord) => said(`m${ord}`, ord, `text ${ord}`))
  const window = new Window(snapshotOf(rows.slice(2), 4, { older: "3" }))
  const log = new Log()
  window.apply([log.message(said("m2", 2, "text 2", { dimmed: true }), "update")])
  expect(window.messages().map((row) => row.id)).toEqual(["m3", "m4"])
  window.prepend({ messages: [rows[1], rows[0]].flatMap((row) => row ?? []), older: null, inherited: [] })
  expect(window.messages().map((row) => [row.id, row.dimmed])).toEqual([
    ["m1", false],
    ["m2", true],
    ["m3", false],
    ["m4", false],
  ])
})

const rollback = (id: string, toOrd: number, fromOrd: number, change: Partial<RollbackRow> = {}): RollbackRow =>
  rollbackWith(id, { toOrd, fromOrd, ...change })

test("[RBK-1] [RBK-6] what is dimmed follows the rollbacks, whatever the server's answer said when it was given", () => {
  const rows = [1, 2, 3, 4].map((ord) => said(`m${ord}`, ord, `text ${ord}`, { dimmed: ord > 2 }))
  const first = rollback("r", 2, 4)
  const window = new Window(snapshotOf(rows.slice(2), 4, { older: "3", rollbacks: [first] }))
  const dimmed = () => window.messages().map((row) => [row.id, row.dimmed])
  expect(dimmed()).toEqual([
    ["m3", true],
    ["m4", true],
  ])
  const log = new Log()
  window.apply([log.message(said("m5", 5, "below"))])
  const below = window.messages().at(-1)
  window.apply([
    log.add("rollbacks", "r", { ...first, ended: 9 }, "update"),
    log.add("rollbacks", "c", rollback("c", 4, 5)),
  ])
  expect(dimmed()).toEqual([
    ["m3", false],
    ["m4", false],
    ["m5", true],
  ])
  const before = window.messages()
  window.apply([log.add("rollbacks", "f", rollback("f", 0, 5, { scope: "files" }))])
  expect(window.messages().map((row, index) => row === before[index])).toEqual([true, true, true])
  expect(window.messages().at(-1)).not.toBe(below)
  expect(window.all("rollbacks").map(({ id }) => id)).toEqual(["r", "c", "f"])
})

test("[BRA-2] what was dimmed above a branch's fork stays so, whatever becomes of the branch's own rollbacks", () => {
  const rows = [1, 2, 3, 4].map((ord) => said(`m${ord}`, ord, `text ${ord}`, { dimmed: ord > 1 && ord < 4 }))
  const own = rollback("r", 2, 4)
  const rolledBack = rows.map((row) => ({ ...row, dimmed: row.ord > 1 }))
  const window = new Window(
    snapshotOf(rolledBack.slice(2), 4, { older: "3", rollbacks: [own], inherited: [{ toOrd: 2, fromOrd: 3 }] }),
  )
  const log = new Log()
  window.apply([log.add("rollbacks", "r", { ...own, ended: 9 }, "update")])
  window.prepend({
    messages: [rows[1], rows[0]].flatMap((row) => row ?? []),
    older: null,
    inherited: [{ toOrd: 1, fromOrd: 3 }],
  })
  expect(window.messages().map((row) => [row.id, row.dimmed])).toEqual([
    ["m1", false],
    ["m2", true],
    ["m3", true],
    ["m4", false],
  ])
})

test("[LOG-10] showing a long reply after each of its deltas costs time in proportion to its length", () => {
  const time = (deltas: number): number => {
    const log = new Log()
    log.message(said("a", 1, "", { state: "streaming" }))
    for (let n = 0; n < deltas; n++) log.delta("a", n, "some words ")
    const window = new Window(snapshotOf([], 0))
    const began = performance.now()
    for (const change of log.changes) {
      window.apply([change])
      window.messages()
    }
    return performance.now() - began
  }
  time(2_000)
  expect(time(40_000)).toBeLessThan(2_000)
})

test("[LOG-25] a page of the queue adds what is unread, and nothing that changed or left since", () => {
  const rows = ["a", "b", "c", "d"].map((id) => queuedWith(id))
  const window = new Window({ ...snapshotOf([], 0), queue: rows.slice(0, 1), queued: 4 })
  expect([window.unreadQueued, window.queueEnd]).toEqual([3, queuePlace(rows[0] as QueueRow)])
  const log = new Log()
  window.apply([log.add("queue", "c", rows[2] as QueueRow, "delete")])
  window.apply([log.add("queue", "d", queuedWith("d", { version: 2 }), "update")])
  window.apply([log.add("queue", "e", queuedWith("e")), log.add("queue", "e", queuedWith("e"), "delete")])
  expect(window.unreadQueued).toBe(1)
  window.addQueued(rows.slice(1))
  expect(window.queue().map(({ id, version }) => [id, version])).toEqual([
    ["a", 1],
    ["b", 1],
    ["d", 2],
  ])
  expect([window.unreadQueued, window.queueEnd]).toEqual([0, null])
})
