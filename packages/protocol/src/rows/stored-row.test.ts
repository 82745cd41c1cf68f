import { describe, expect, it, test } from "vitest"
import type { NewChange, Operation } from "../change.ts"
import { type Collection, collections } from "../collections.ts"
import { addedFields, blankMessage, blankStatus, emptyUsage } from "./blank-rows.ts"
import { parseRow } from "./parse-row.ts"
import { storedRow } from "./stored-row.ts"

const message = { ...blankMessage, id: "msg_1", ord: 1, role: "person", state: "done", parts: [], at: 7 }
const turn = { id: "trn_1", message: "msg_1", agent: "host", state: "running", startedAt: 7, ...addedFields.turns }
const change = (collection: Collection, operation: Operation, row: object) =>
  ({ collection, key: "k", operation, row }) as unknown as NewChange

describe("[LOG-2] a stored row leaves out the fields that have their default", () => {
  test.each(Object.keys(collections) as Collection[])("%s: it is read as what it was", (collection) => {
    const row = { ...addedFields[collection], anything: 1 }
    const stored = storedRow(change(collection, "insert", row))
    if (collection !== "status") expect(stored).toEqual({ anything: 1 })
    expect(parseRow(collection, JSON.stringify(stored))).toEqual(row)
  })

  it("an insert leaves out every default, a usage its zeros", () => {
    const usage = { ...emptyUsage, outputTokens: 5 }
    expect(storedRow(change("messages", "insert", { ...message, usage }))).toEqual({
      ...{ id: "msg_1", ord: 1, role: "person", state: "done", parts: [], at: 7 },
      usage: { outputTokens: 5 },
    })
    const priced = { ...message, usage: { ...usage, costMicros: 3 } }
    expect(parseRow("messages", JSON.stringify(storedRow(change("messages", "insert", priced))))).toEqual(priced)
    const spent = JSON.stringify(storedRow(change("messages", "insert", { ...message, usage: emptyUsage })))
    expect(parseRow("messages", spent).usage).toEqual(emptyUsage)
  })

  it("an update sends a field that may have had another value before, because a reader may merge it", () => {
    expect(storedRow(change("messages", "update", message))).toMatchObject({ usage: null, returned: null, turn: null })
    expect(storedRow(change("turns", "update", turn))).toEqual({
      ...{ id: "trn_1", message: "msg_1", agent: "host", state: "running", startedAt: 7 },
      step: null,
    })
    const { archives } = addedFields
    expect(storedRow(change("archives", "update", archives))).toEqual(archives)
  })

  it("where the row before is known, an update sends what has changed back to its default", () => {
    const busy = { ...blankStatus, pinned: true, labels: ["tea"], usage: { ...emptyUsage, costMicros: 2 } }
    const now = { ...blankStatus, title: "Tea" }
    const { state, busyWith, turn, message, attempt, retryAt, error, failures, held, again, unread } = blankStatus
    const turns = { state, busyWith, turn, message, attempt, retryAt, error, failures, held, again, unread }
    expect(storedRow(change("status", "update", now), busy)).toEqual({
      ...turns,
      ...{ pinned: false, labels: [], usage: {}, title: "Tea" },
    })
    expect(storedRow(change("status", "update", now), blankStatus)).toEqual({ ...turns, title: "Tea" })
  })

  it("merging the updates gives the same row as reading the last one", () => {
    const rows = [
      { ...blankStatus, title: "Tea" },
      { ...blankStatus, title: "Tea", state: "busy", turn: "trn_1", pinned: true },
      { ...blankStatus, title: "Tea", unread: true, labels: ["a"] },
      { ...blankStatus, title: "", unread: false, labels: [] },
    ]
    let merged = {}
    for (const [index, row] of rows.entries()) {
      const stored = storedRow(change("status", index === 0 ? "insert" : "update", row), rows[index - 1])
      merged = { ...merged, ...stored }
      expect(parseRow("status", JSON.stringify(merged))).toEqual(row)
      expect(parseRow("status", JSON.stringify(stored))).toEqual(row)
    }
  })
})
