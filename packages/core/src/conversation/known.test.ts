import type { MessageId, MessageRow, NewChange, StreamId, TxId } from "@parlor/protocol"
import { beforeEach, describe, expect, it } from "vitest"
import { rowChange } from "../log/row-change.ts"
import { personMessage } from "../turn/turn.ts"
import { Known } from "./known.ts"
import { type ConversationState, newStatus, statusChange } from "./state.ts"

const address = { agent: "host", person: "me", branch: "main" }
const id = 1 as StreamId

function stateAt(head: number, more: Partial<ConversationState> = {}): ConversationState {
  const stream = { id, key: { kind: "conversation", ...address }, head, control: head, epoch: 1 } as const
  const empty = { queue: [], queued: 0, lastQueued: undefined, asks: [], lastOrd: 0 }
  return { stream, address, status: newStatus(0), ...empty, ...more }
}

function said(ord: number, source: string): MessageRow {
  const none = { guests: [], attachments: [], trigger: null, editedFrom: null }
  const row = { id: `msg_${ord}` as MessageId, type: "composer_input", payload: { source }, ...none }
  return personMessage(row, ord, null, 0)
}

function inserted(row: MessageRow): NewChange {
  return { collection: "messages", key: row.id, operation: "insert", row }
}

describe("what is known of a conversation", () => {
  let known: Known
  beforeEach(() => {
    known = new Known()
  })

  function keep(state: ConversationState, changes: readonly NewChange[], between = 0): void {
    const append = { stream: id, changes: changes.map(rowChange), txid: "tx" as TxId, at: 0 }
    const head = state.stream.head + changes.length + between
    const appended = { ok: true, head, control: head, epoch: 2, feedHead: 0, skipped: false } as const
    known.keep({ state, changes, append, appended }, known.history(id))
  }

  it("is its state after the decision, and all that was said", () => {
    const first = said(1, "Hi")
    const status = { ...newStatus(5), title: "Hi" }
    keep(stateAt(1), [inserted(first), statusChange(status)])
    expect(known.at(address)).toBe(id)
    expect(known.state(id)).toEqual({
      ...stateAt(1),
      stream: { ...stateAt(3).stream, epoch: 2 },
      status,
      lastOrd: 1,
    })
    const streaming: MessageRow = { ...said(2, ""), role: "agent", state: "streaming", parts: [] }
    const done: MessageRow = { ...streaming, state: "done", parts: [{ type: "text", text: "Hello" }] }
    keep(known.state(id) ?? stateAt(0), [inserted(streaming), { ...inserted(done), operation: "update" }])
    expect(known.history(id)?.messages).toEqual([first, done])
  })

  it("is nothing when something else was written in between, or waits, or is asked", () => {
    keep(stateAt(1), [statusChange(newStatus(1))], 1)
    expect(known.state(id)).toBeUndefined()
    keep(stateAt(1, { queued: 1 }), [statusChange(newStatus(1))])
    expect(known.state(id)).toBeUndefined()
    keep(stateAt(1), [statusChange(newStatus(1))])
    known.forget(id)
    expect(known.state(id)).toBeUndefined()
    expect(known.history(id)).toBeUndefined()
  })

  it("is not what was said when that is long, or began before anybody here knew of it", () => {
    keep(stateAt(1), [inserted(said(1, "x".repeat(10_000)))])
    expect(known.state(id)?.lastOrd).toBe(1)
    expect(known.history(id)).toBeUndefined()
    known.forget(id)
    keep(stateAt(9, { lastOrd: 4 }), [inserted(said(5, "Hi"))])
    expect(known.state(id)?.lastOrd).toBe(5)
    expect(known.history(id)).toBeUndefined()
  })

  it("counts a message that is begun and ended in one write as it ended", () => {
    keep(stateAt(1), [inserted(said(1, "Hi"))])
    const begun: MessageRow = { ...said(2, "x".repeat(5_000)), role: "agent", state: "streaming" }
    const ended: MessageRow = { ...begun, state: "done", parts: [{ type: "text", text: "Hello" }] }
    keep(known.state(id) ?? stateAt(0), [inserted(begun), { ...inserted(ended), operation: "update" }])
    const length = (row: MessageRow) => rowChange(inserted(row)).value.length
    expect(known.history(id)?.chars).toBe(length(said(1, "Hi")) + length(ended))
  })

  it("has the commands of one claim through the next, and not when another claim came between", () => {
    const commands = new Map()
    known.keepCommands(id, 4, commands)
    expect(known.commands(id, 4)).toBe(commands)
    expect(known.commands(id, 5)).toBe(commands)
    expect(known.commands(id, 6)).toBeUndefined()
    expect(known.commands(id, 3)).toBeUndefined()
    known.keepCommands(id, 5, undefined)
    expect(known.commands(id, 5)).toBeUndefined()
  })

  it("is the commands also while something else is written, and nothing once the conversation is gone", () => {
    const commands = new Map()
    known.keepCommands(id, 4, commands)
    known.forget(id)
    expect(known.commands(id, 4)).toBe(commands)
    known.remove(id, address)
    expect(known.commands(id, 4)).toBeUndefined()
  })

  it("goes, oldest first, when there is more than is kept", () => {
    keep(stateAt(1), [statusChange(newStatus(1))])
    for (let n = 2; n < 600; n++) {
      const state = stateAt(1)
      const other = {
        ...state,
        stream: { ...state.stream, id: n as StreamId },
        address: { ...address, branch: `${n}` },
      }
      keep(other, [statusChange(newStatus(1))])
    }
    expect(known.state(id)).toBeUndefined()
    expect(known.at(address)).toBeUndefined()
    expect(known.at({ ...address, branch: "599" })).toBe(599)
  })
})
