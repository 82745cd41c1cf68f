import { emptyUsage, type MessageRow, type StoredChange, type TurnId, type TurnRow, type TxId } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { timelineOf } from "./timeline.ts"

const turn = "trn_1" as TurnId
let seq = 0
function change(
  collection: string,
  key: string,
  row: object,
  at: number,
  operation: StoredChange["operation"] = "update",
) {
  seq += 1
  return { seq, collection, key, operation, value: JSON.stringify(row), txid: "tx" as TxId, at }
}
const turnAt = (at: number, row: Partial<TurnRow> = {}) =>
  change(
    "turns",
    turn,
    { id: turn, guest: null, steps: 0, endedAt: null, error: null, state: "running", step: null, ...row },
    at,
  )
const said = (at: number, id: string, row: Partial<MessageRow>) =>
  change("messages", id, { id, role: "agent", turn, state: "streaming", parts: [], usage: null, at, ...row }, at)
const tool = (state: string) =>
  [{ type: "tool", call: "c", name: "look", input: {}, state, output: null, error: null }] as never
const folded = (changes: readonly StoredChange[]) => {
  const timeline = timelineOf(turn)
  timeline.add(changes)
  return timeline
}

describe("a turn's events", () => {
  it("[LOG-15] begin with the message it answers and end with its status; other events are not included", () => {
    const timeline = folded([
      change("queue", "msg_0", { mode: "queued" }, 1, "delete"),
      said(1, "msg_0", { role: "person", state: "done" }),
      turnAt(1),
      change("status", "status", { state: "busy", busyWith: "turn", attempt: null, held: null }, 1),
      turnAt(2, { endedAt: 2, state: "done" }),
      change("status", "status", { state: "idle", busyWith: null, attempt: null, held: null }, 2),
      change("queue", "msg_9", { mode: "queued" }, 3, "insert"),
    ])
    expect(timeline.changes.map(({ what }) => what)).toEqual([
      ...["message joined the turn", "turn began", "busy", "turn done", "busy → idle"],
    ])
    expect(timeline.isOver).toBe(true)
  })

  it("[LOG-15] a step whose note was lost in a crash is recognized by its reply, with the times of its tools", () => {
    const lost = [
      turnAt(1),
      said(2, "msg_1", {}),
      said(3, "msg_1", { parts: tool("started"), usage: emptyUsage }),
      said(8, "msg_1", { parts: tool("unknown"), usage: emptyUsage }),
      said(9, "msg_1", { parts: tool("unknown"), usage: emptyUsage, state: "done" }),
    ]
    const [step] = folded(lost).steps()
    expect(step).toMatchObject({ number: 1, message: "msg_1", note: undefined, isOpen: false, model: null })
    expect(step?.tools).toMatchObject([{ name: "look", state: "unknown", startedAt: 3, endedAt: 8 }])
  })

  it("[LOG-15] a call that never started has no times; a handler's reply is not a step", () => {
    const timeline = folded([
      turnAt(1),
      said(2, "msg_1", { parts: tool("waiting") }),
      said(4, "msg_1", { parts: tool("failed"), state: "done", usage: emptyUsage }),
      said(5, "msg_2", { state: "done", parts: [{ type: "text", text: "By the handler." }] }),
    ])
    expect(timeline.steps()).toMatchObject([
      { message: "msg_1", tools: [{ state: "failed", startedAt: null, endedAt: 4 }] },
    ])
  })

  it("[LOG-15] waits are for the person or before a retry", () => {
    const status = (at: number, row: object) =>
      change("status", "status", { busyWith: "turn", attempt: null, held: null, error: null, ...row }, at)
    const ask = (at: number, state: string) =>
      change("asks", "ask_1", { id: "ask_1", turn, kind: "approval", title: "May I?", state, answeredBy: null }, at)
    const timeline = folded([
      turnAt(1),
      status(2, { state: "retrying", attempt: 2, error: { code: "x", detail: "Busy." } }),
      status(5, { state: "busy" }),
      ask(6, "open"),
    ])
    expect(timeline.waits()).toEqual([
      { kind: "retry", title: "before try 2: Busy.", startedAt: 2, endedAt: 5 },
      { kind: "ask", title: "May I?", startedAt: 6, endedAt: null },
    ])
    timeline.add([ask(9, "expired")])
    expect(timeline.waits()[1]?.endedAt).toBe(9)
    expect(timeline.changes.at(-1)?.what).toBe("ask expired")
  })
})
