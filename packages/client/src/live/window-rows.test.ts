/** The rows of a window besides its messages, and text that is changed while it streams. */
import type { ArchiveRow, AskRow, BranchRow, DeltaRow, QueueRow, SlashCommandRow } from "@parlor/protocol"
import { deltaKey } from "@parlor/protocol"
import { askWith, queuedWith, rollbackWith } from "@parlor/protocol/testing"
import { expect, test } from "vitest"
import { Log, said, snapshotOf } from "../../test/rows.ts"
import { Window } from "./window.ts"

const textsOf = (window: Window) =>
  window.messages().map(({ parts }) => parts.map((part) => ("text" in part ? part.text : "")).join("|"))

test("[LOG-8] has every row of the snapshot, and of the asks those that are open", () => {
  const rows = {
    branches: [{ branch: "b1" }, { branch: "b2" }] as BranchRow[],
    slashCommands: [{ name: "one" }, { name: "two" }] as SlashCommandRow[],
    archives: [{ id: "arc_1" }, { id: "arc_2" }] as ArchiveRow[],
    rollbacks: [rollbackWith("r1"), rollbackWith("r2")],
    asks: [askWith({ id: "a1" as AskRow["id"] }), askWith({ id: "a2" as AskRow["id"], state: "answered" })],
  }
  const window = new Window(snapshotOf([], 0, { ...rows, older: "7" }))
  expect(window.all("branches")).toEqual(rows.branches)
  expect(window.all("slashCommands")).toEqual(rows.slashCommands)
  expect(window.all("archives")).toEqual(rows.archives)
  expect(window.all("rollbacks")).toEqual(rows.rollbacks)
  expect(window.asks()).toEqual(rows.asks.slice(0, 1))
  expect(window.older).toBe("7")
  const log = new Log()
  window.apply([log.add("asks", "a1", askWith({ id: "a1" as AskRow["id"], state: "answered" }), "update")])
  expect(window.asks()).toEqual([])
})

test("[LOG-10] a delta that is replaced or removed while a reply streams changes its part, and only that", () => {
  const log = new Log()
  const window = new Window(snapshotOf([], 0))
  window.apply([log.message(said("a", 1, "", { state: "streaming" }))])
  window.apply([log.message(said("b", 2, "", { state: "streaming" }))])
  for (const n of [0, 1, 2]) window.apply([log.delta("a", n, `${n}`)])
  window.apply([log.delta("a", 0, "x", 1), log.delta("b", 0, "y")])
  expect(textsOf(window)).toEqual(["012|x", "y"])
  const changed = (n: number, text: string, operation: "update" | "delete", part = 0) => {
    const row: DeltaRow = { message: "a" as DeltaRow["message"], part, kind: "text", n, text }
    return log.add("deltas", deltaKey(row), row, operation)
  }
  window.apply([changed(1, "one", "update")])
  expect(textsOf(window)).toEqual(["0one2|x", "y"])
  window.apply([changed(0, "0", "delete")])
  expect(textsOf(window)).toEqual(["one2|x", "y"])
  // Out of order: it is put in its place.
  window.apply([log.delta("a", 0, "nil")])
  expect(textsOf(window)).toEqual(["nilone2|x", "y"])
  window.apply([changed(0, "x", "delete", 1)])
  expect(textsOf(window)[0]?.split("|")[0]).toBe("nilone2")
  expect(textsOf(window)[0]).not.toContain("x")
})

test("[LOG-8] text of the snapshot stays when a later delta of it is replaced", () => {
  const log = new Log()
  const window = new Window(snapshotOf([said("a", 1, "so far ", { state: "streaming" })], 0))
  window.apply([log.delta("a", 0, "one "), log.delta("a", 1, "two")])
  expect(textsOf(window)).toEqual(["so far one two"])
  const row: DeltaRow = { message: "a" as DeltaRow["message"], part: 0, kind: "text", n: 1, text: "2" }
  window.apply([log.add("deltas", deltaKey(row), row, "update")])
  expect(textsOf(window)).toEqual(["so far one 2"])
})

test("[TRN-18] a message that is replaced after its end, or deleted, keeps no text of its deltas", () => {
  const log = new Log()
  const window = new Window(snapshotOf([], 0))
  window.apply([log.message(said("a", 1, "", { state: "streaming" })), log.delta("a", 0, "first try")])
  window.apply([log.message(said("a", 1, "done"), "update")])
  expect(textsOf(window)).toEqual(["done"])
  window.apply([log.message(said("a", 1, "", { state: "streaming" }), "update"), log.delta("a", 0, "again")])
  expect(textsOf(window)).toEqual(["again"])
  window.apply([log.message(said("a", 1, ""), "delete")])
  expect(window.messages()).toEqual([])
  window.apply([log.message(said("a", 1, "", { state: "streaming" })), log.delta("a", 0, "new")])
  expect(textsOf(window)).toEqual(["new"])
})

test("[LOG-25] only changes of the queue count as read, each message once, and a page of it shows at once", () => {
  const rows = ["a", "b", "c", "d"].map((id) => queuedWith(id))
  const window = new Window(snapshotOf([], 0, { queue: rows.slice(0, 1), queued: 4 }))
  const log = new Log()
  window.apply([log.message(said("m", 1, "x")), log.status({ state: "busy" })])
  expect(window.unreadQueued).toBe(3)
  // One that was never read is changed twice in one batch, then deleted in the next.
  const b = (version: number) => log.add("queue", "b", queuedWith("b", { version }), "update")
  window.apply([b(2), b(3)])
  expect(window.unreadQueued).toBe(2)
  window.apply([log.add("queue", "b", rows[1] as QueueRow, "delete")])
  expect([window.unreadQueued, window.queue().length]).toEqual([2, 1])
  const before = window.queue()
  window.addQueued(rows.slice(2, 3))
  expect(window.queue()).not.toBe(before)
  expect(window.queue().map(({ id }) => id)).toEqual(["a", "c"])
  expect(window.unreadQueued).toBe(1)
})

test("[RBK-1] [LOG-9] an older page brings what was dimmed above the fork, also for messages that are shown already", () => {
  const window = new Window(snapshotOf([said("m3", 3, "c")], 3, { older: "3" }))
  expect(window.messages().map(({ dimmed }) => dimmed)).toEqual([false])
  window.prepend({
    messages: [said("m2", 2, "b", { dimmed: true })],
    older: "2",
    inherited: [{ toOrd: 1, fromOrd: 2 }],
  })
  expect(window.messages().map(({ id, dimmed }) => [id, dimmed])).toEqual([
    ["m2", true],
    ["m3", false],
  ])
  expect(window.older).toBe("2")
})
