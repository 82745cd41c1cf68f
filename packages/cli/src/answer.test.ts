import type { ChangeEvent, Collection, Operation } from "@parlor/protocol"
import { expect, test } from "vitest"
import { Answer } from "./answer.ts"

const change = (type: Collection, key: string, value: object, operation: Operation = "insert"): ChangeEvent =>
  ({ type, key, value, headers: { operation, txid: "t", timestamp: "", offset: "" } }) as unknown as ChangeEvent

const reply = (id: string, turn: string, state: string, parts: readonly object[] = [], author = ""): ChangeEvent =>
  change("messages", id, { id, role: "agent", author, turn, state, parts })
const delta = (message: string, text: string, part = 0, kind = "text"): ChangeEvent =>
  change("deltas", `${message}/${part}`, { message, part, kind, text })
const turn = (
  id: string,
  message: string,
  state: string,
  error: object | null = null,
  guestsNext: readonly string[] = [],
): ChangeEvent =>
  change("turns", id, { id, message, state, error, guestsNext, endedAt: state === "running" ? null : 1 })

test("the text of the turn is returned once, whether by deltas or by the full row", () => {
  const answer = new Answer({ message: "p", turn: "t1" }, "host")
  expect(answer.read([reply("a", "t1", "streaming"), delta("a", "Hel"), delta("a", "lo")]).text).toBe("Hello")
  expect(answer.isMidLine).toBe(true)
  const rest = answer.read([
    reply("a", "t1", "done", [{ type: "text", text: "Hello, you.\n" }]),
    turn("t1", "p", "done"),
  ])
  expect(rest).toEqual({ text: ", you.\n", notes: [], ending: { state: "done", detail: undefined } })
  expect(answer.isMidLine).toBe(false)
})

test("[TRN-18] a reply that was interrupted and starts over is reported, and returned whole", () => {
  const answer = new Answer({ message: "p", turn: "t1" }, "host")
  const cut = [{ type: "text", text: "Half an" }]
  expect(answer.read([reply("a", "t1", "streaming"), delta("a", "Half an")]).text).toBe("Half an")
  expect(answer.read([reply("a", "t1", "truncated", cut)])).toMatchObject({ text: "", notes: [] })
  const again = answer.read([reply("a", "t1", "streaming"), delta("a", "A whole")])
  expect(again).toMatchObject({ text: "\n\nA whole", notes: ["the reply was interrupted and starts over"] })
  const whole = reply("a", "t1", "done", [{ type: "text", text: "A whole answer." }])
  expect(answer.read([whole])).toMatchObject({ text: " answer.", notes: [] })
})

test("other turns and reasoning are not part of the answer; tool calls are noted once per state", () => {
  const answer = new Answer({ message: "p", turn: "t1" }, "host")
  const tool = { type: "tool", call: "c", name: "read_file", state: "started" }
  const first = { type: "text", text: "Look:" }
  answer.read([reply("x", "t0", "streaming"), delta("x", "not mine"), turn("t0", "o", "done")])
  const heard = answer.read([
    reply("a", "t1", "streaming", [first, tool]),
    reply("a", "t1", "streaming", [first, tool]),
    delta("a", "hm", 2, "reasoning"),
    reply("a", "t1", "streaming", [first, { ...tool, state: "done" }]),
    delta("a", "found", 3),
  ])
  expect(heard).toEqual({
    text: "Look:\n\nfound",
    notes: ["read_file: started", "read_file: done"],
    ending: undefined,
  })
})

test("[QUE-1] a queued message is answered by the turn that starts for it", () => {
  const answer = new Answer({ message: "p" }, "host")
  expect(answer.read([turn("t0", "o", "done")]).ending).toBeUndefined()
  expect(answer.turn).toBeUndefined()
  const start = [change("queue", "p", { id: "p" }, "delete"), turn("t1", "p", "running")]
  expect(answer.read(start).ending).toBeUndefined()
  expect(answer.turn).toBe("t1")
  expect(answer.read([reply("a", "t1", "streaming"), delta("a", "mine")]).text).toBe("mine")
  const failed = turn("t1", "p", "failed", { code: "x", detail: "No \u001b[1mkey." })
  expect(answer.read([failed]).ending).toEqual({ state: "failed", detail: "No ␛[1mkey." })
})

test("[QUE-9] a message removed from the queue has no answer", () => {
  const answer = new Answer({ message: "p" }, "host")
  expect(answer.read([change("queue", "p", { id: "p" }, "delete")]).ending?.state).toBe("removed")
})

test("escape sequences split between two deltas do not get through", () => {
  const answer = new Answer({ message: "p", turn: "t1" }, "host")
  const pieces = ["\u001b", "]0;x", "\u0007"].map((text) => delta("a", text))
  expect(answer.read([reply("a", "t1", "streaming"), ...pieces]).text).toBe("␛]0;x␇")
})

test("[GST-6] guests answer one after another, and the answer ends with the last of them", () => {
  const said = (text: string) => [{ type: "text", text }]
  const answer = new Answer({ message: "p", turn: "t1" }, "host")
  const first = answer.read([reply("a", "t1", "streaming", [], "critic"), delta("a", "No.")])
  expect(first).toEqual({ text: "No.", notes: ["critic"], ending: undefined })
  const second = answer.read([
    reply("a", "t1", "done", said("No."), "critic"),
    turn("t1", "p", "done", null, ["scribe", "host"]),
    turn("t2", "p", "running", null, ["host"]),
    reply("b", "t2", "done", said("Noted."), "scribe"),
  ])
  expect(second).toEqual({ text: "\n\nscribe:\n\nNoted.", notes: [], ending: undefined })
  expect(answer.turn).toBe("t2")
  answer.read([turn("t2", "p", "done", null, ["host"]), turn("t3", "p", "running")])
  const last = answer.read([reply("c", "t3", "done", said("Yes.")), turn("t3", "p", "done")])
  expect(last).toMatchObject({ text: "\n\nhost:\n\nYes.", ending: { state: "done" } })
})

test("[GST-6] remaining guests do not answer after a stop", () => {
  const answer = new Answer({ message: "p", turn: "t1" }, "host")
  expect(answer.read([turn("t1", "p", "stopped", null, ["scribe"])]).ending?.state).toBe("stopped")
})
