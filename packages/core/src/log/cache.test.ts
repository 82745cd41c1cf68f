import type { MessageId, MessageRow, NewChange, QueueRow, StreamId, TxId } from "@parlor/protocol"
import { beforeEach, describe, expect, it } from "vitest"
import { personMessage } from "../turn/turn.ts"
import { apply } from "./apply.ts"
import { ConversationCache } from "./cache.ts"
import { rowChange } from "./row-change.ts"
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

/** As stored. */
function length(row: MessageRow, operation: "insert" | "update" = "insert"): number {
  return rowChange({ ...inserted(row), operation }).value.length
}

describe("the cache of a conversation", () => {
  let cache: ConversationCache
  beforeEach(() => {
    cache = new ConversationCache()
  })

  function keep(state: ConversationState, changes: readonly NewChange[], between = 0): void {
    const append = { stream: id, changes: changes.map(rowChange), txid: "tx" as TxId, at: 0 }
    const head = state.stream.head + changes.length + between
    const appended = { ok: true, head, control: head, epoch: 2, feedHead: 0, skipped: false } as const
    cache.following(state, { after: apply(state, changes), changes, append })(appended)
  }

  it("holds the state after the decision, and all messages", () => {
    const first = said(1, "Hi")
    const status = { ...newStatus(5), title: "Hi" }
    keep(stateAt(1), [inserted(first), statusChange(status)])
    expect(cache.at(address)).toBe(id)
    expect(cache.state(id)).toEqual({
      ...stateAt(1),
      stream: { ...stateAt(3).stream, epoch: 2 },
      status,
      lastOrd: 1,
    })
    const streaming: MessageRow = { ...said(2, ""), role: "agent", state: "streaming", parts: [] }
    const done: MessageRow = { ...streaming, state: "done", parts: [{ type: "text", text: "Hello" }] }
    keep(cache.state(id) ?? stateAt(0), [inserted(streaming), { ...inserted(done), operation: "update" }])
    expect(cache.history(id)?.said.map(({ message }) => message)).toEqual([first, done])
  })

  it("is empty when something else was written in between, or messages are queued, or asks are open", () => {
    keep(stateAt(1), [statusChange(newStatus(1))], 1)
    expect(cache.state(id)).toBeUndefined()
    const waits = { id: "msg_9" as MessageId } as QueueRow
    keep(stateAt(1, { queued: 1, queue: [waits], lastQueued: waits }), [statusChange(newStatus(1))])
    expect(cache.state(id)).toBeUndefined()
    keep(stateAt(1), [statusChange(newStatus(1))])
    cache.forget(id)
    expect(cache.state(id)).toBeUndefined()
    expect(cache.history(id)).toBeUndefined()
  })

  it("has no messages when they are long, or began before it was cached", () => {
    keep(stateAt(1), [inserted(said(1, "x".repeat(1_600_000)))])
    expect(cache.state(id)?.lastOrd).toBe(1)
    expect(cache.history(id)).toBeUndefined()
    cache.forget(id)
    keep(stateAt(9, { lastOrd: 4 }), [inserted(said(5, "Hi"))])
    expect(cache.state(id)?.lastOrd).toBe(5)
    expect(cache.history(id)).toBeUndefined()
  })

  it("counts a message that starts and ends in one write once, in its final form", () => {
    keep(stateAt(1), [inserted(said(1, "Hi"))])
    const begun: MessageRow = { ...said(2, "x".repeat(5_000)), role: "agent", state: "streaming" }
    const ended: MessageRow = { ...begun, state: "done", parts: [{ type: "text", text: "Hello" }] }
    keep(cache.state(id) ?? stateAt(0), [inserted(begun), { ...inserted(ended), operation: "update" }])
    expect(cache.history(id)?.chars).toBe(length(said(1, "Hi")) + length(ended, "update"))
  })

  it("survives streaming deltas and a later change of a message", () => {
    keep(stateAt(1), [inserted(said(1, "Hi"))])
    const now = () => cache.state(id) ?? stateAt(0)
    const begun: MessageRow = { ...said(2, ""), role: "agent", state: "streaming", parts: [] }
    const ended: MessageRow = { ...begun, state: "done", parts: [{ type: "text", text: "Hello" }] }
    const delta = { message: begun.id, part: 0, kind: "text", n: 0, text: "Hello" } as const
    keep(now(), [inserted(begun)])
    keep(now(), [{ collection: "deltas", key: "2/0/0", operation: "insert", row: delta }])
    keep(now(), [{ ...inserted(ended), operation: "update" }])
    const changed = said(1, "Hi, and more")
    keep(now(), [{ ...inserted(changed), operation: "update" }])
    expect(cache.history(id)?.said.map(({ message }) => message)).toEqual([changed, ended])
    expect(cache.history(id)?.chars).toBe(length(changed, "update") + length(ended, "update"))
    keep(now(), [inserted(said(0, "before all"))])
    expect(cache.state(id)?.stream.head).toBe(7)
    expect(cache.history(id)).toBeUndefined()
  })

  it("takes what was read, if nothing was written since", () => {
    const one = said(4, "Hi")
    const history = { said: [{ message: one, chars: 300 }], chars: 300, isWhole: false, archive: undefined }
    keep(stateAt(9, { lastOrd: 4 }), [statusChange(newStatus(1))])
    cache.keepHistory(id, 9, history)
    expect(cache.history(id)).toBeUndefined()
    cache.keepHistory(id, 10, history)
    const next = said(5, "again")
    keep(cache.state(id) ?? stateAt(0), [inserted(next)])
    expect(cache.history(id)).toMatchObject({ isWhole: false, chars: 300 + length(next) })
    expect(cache.history(id)?.said.map(({ message }) => message)).toEqual([one, next])
  })

  it("limits the messages of all conversations, and evicts the oldest writes first", () => {
    const all = Array.from({ length: 12 }, (_, n) => n + 1)
    for (const n of all) {
      const state = stateAt(1)
      const other = { ...state, stream: { ...state.stream, id: n as StreamId } }
      keep(other, [inserted(said(1, "x".repeat(1_000_000)))])
    }
    const kept = all.filter((n) => cache.history(n as StreamId) !== undefined)
    expect(kept).toEqual([6, 7, 8, 9, 10, 11, 12])
    for (const n of kept) cache.forget(n as StreamId)
    keep(stateAt(1), [inserted(said(1, "x".repeat(1_000_000)))])
    expect(cache.history(id)?.said).toHaveLength(1)
  })

  it("keeps commands from one claim through the next, but not when another claim came in between", () => {
    const commands = new Map()
    cache.keepCommands(id, 4, commands)
    expect(cache.commands(id, 4)).toBe(commands)
    expect(cache.commands(id, 5)).toBe(commands)
    expect(cache.commands(id, 6)).toBeUndefined()
    expect(cache.commands(id, 3)).toBeUndefined()
    cache.keepCommands(id, 5, undefined)
    expect(cache.commands(id, 5)).toBeUndefined()
  })

  it("keeps commands even while something else is written, and nothing once the conversation is deleted", () => {
    const commands = new Map()
    cache.keepCommands(id, 4, commands)
    cache.forget(id)
    expect(cache.commands(id, 4)).toBe(commands)
    cache.remove(id, address)
    expect(cache.commands(id, 4)).toBeUndefined()
  })

  it("evicts the oldest entries when it is full", () => {
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
    expect(cache.state(id)).toBeUndefined()
    expect(cache.at(address)).toBeUndefined()
    expect(cache.at({ ...address, branch: "599" })).toBe(599)
  })
})
