import { messageOf, queuedWith } from "@parlor/protocol/testing"
import { expect, test } from "vitest"
import { Log } from "../../test/rows.ts"
import { rowsIn, rowsOf } from "./person-row.ts"

const said = messageOf("m1", 1, "Hi", { role: "person", at: 5 })
const typed = messageOf("m2", 2, "shown", { role: "person", composer: { source: "as typed" }, at: 6 })
const answered = messageOf("m3", 3, "Hello")
const waiting = queuedWith("q1", { payload: { source: "later" }, queuedAt: 7 })

test("[LOG-12] a person's messages are those started and those waiting, with what was typed", () => {
  expect(rowsOf({ messages: [said, typed, answered], queue: [waiting] })).toEqual([
    { id: "m1", text: "Hi", at: 5 },
    { id: "m2", text: "as typed", at: 6 },
    { id: "q1", text: "later", at: 7 },
  ])
  const parts = [
    { type: "text", text: "a" },
    { type: "reasoning", text: "b" },
    { type: "text", text: "c" },
  ] as const
  expect(rowsOf({ messages: [{ ...said, parts: [...parts] }], queue: [] })).toMatchObject([{ text: "ac" }])
})

test("[LOG-12] what waits and says nothing in words is no such message", () => {
  const payloads = [null, "text", ["source"], {}, { source: 7 }]
  for (const payload of payloads) expect(rowsOf({ messages: [], queue: [queuedWith("q", { payload })] })).toEqual([])
})

test("[LOG-12] of changes, only what is inserted is new", () => {
  const log = new Log()
  log.message(said)
  log.message(said, "update")
  log.message(answered)
  log.add("queue", "q1", waiting)
  log.add("queue", "q1", waiting, "update")
  log.add("queue", "q1", waiting, "delete")
  log.delta("m3", 0, "x")
  expect(rowsIn(log.changes).map(({ id }) => id)).toEqual(["m1", "q1"])
})
