import { COMPOSER_INPUT, emptyUsage, type MessageId, type StreamId, type TurnId, type TurnRow } from "@parlor/protocol"
import { expect, test } from "vitest"
import { newState, newStatus } from "../log/state.ts"
import { endTurn, type Incoming, personMessage, startGuest, startTurn } from "./turn.ts"

const address = { agent: "host", person: "me", branch: "main" }
const stream = { id: 1 as StreamId, head: 7 } as Parameters<typeof newState>[0]
const turn = "trn_1" as TurnId

const incoming = (change: Partial<Incoming> = {}): Incoming => ({
  id: "msg_1" as MessageId,
  type: COMPOSER_INPUT,
  payload: { source: "How are crabs?" },
  guests: [],
  trigger: null,
  editedFrom: null,
  ...change,
})

const idle = (change = {}) => newState(stream, address, { ...newStatus(0), ...change })
const started = (change: Partial<Incoming> = {}, status = {}) => startTurn(idle(status), incoming(change), turn, 5)
const collections = (changes: readonly { readonly collection: string }[]) => changes.map(({ collection }) => collection)

test("a start writes message, turn and status together, and they name each other", () => {
  const { changes, message, turn: row, status } = started()
  expect(collections(changes)).toEqual(["messages", "turns", "status"])
  expect(message).toMatchObject({ id: "msg_1", ord: 1, role: "person", turn, at: 5 })
  expect(row).toMatchObject({ id: turn, message: "msg_1", agent: "host", state: "running", began: 7, startedAt: 5 })
  expect(status).toMatchObject({ state: "busy", busyWith: "turn", turn, message: "msg_1", since: 5 })
})

test("a start releases a held queue and clears the previous error; a title stays", () => {
  const held = { reason: "error", since: 1 }
  const error = { code: "x", detail: "y" }
  const { status } = started({}, { state: "error", held, error, title: "About crabs" })
  expect(status).toMatchObject({ held: null, error: null, title: "About crabs", preview: "How are crabs?" })
})

test("[GST-6] guests speak one after the other, the conversation's own agent as itself, nobody twice", () => {
  const first = started({ guests: ["critic", "host", "critic"] }).turn
  expect(first).toMatchObject({ guest: "critic", guestsNext: ["host"] })
  const second = startGuest(idle(), first, "trn_2" as TurnId, 6)
  expect(second?.turn).toMatchObject({ id: "trn_2", message: "msg_1", guest: null, guestsNext: [] })
  expect(second && collections(second.changes)).toEqual(["turns", "status"])
  expect(second && startGuest(idle(), second.turn, "trn_3" as TurnId, 7)).toBeUndefined()
})

test("a typed message keeps its text, its chips only when it has some, and a declared type its payload", () => {
  expect(personMessage(incoming(), 3, null, 9)).toMatchObject({
    ord: 3,
    turn: null,
    parts: [{ type: "text", text: "How are crabs?" }],
    composer: null,
    inbox: null,
  })
  const chips = { source: "@critic", nodes: [{ kind: "agent", start: 0, end: 7, raw: "@critic" }] }
  expect(personMessage(incoming({ payload: chips }), 1, null, 9).composer).toEqual(chips)
  const declared = incoming({ type: "build.done", payload: { ok: true } })
  expect(personMessage(declared, 1, null, 9)).toMatchObject({
    parts: [],
    composer: null,
    inbox: { type: "build.done", payload: { ok: true } },
  })
})

const running: TurnRow = { ...started().turn, usage: { ...emptyUsage, inputTokens: 3 } }
const ended = (end: Parameters<typeof endTurn>[2], change = {}) => endTurn(idle(change), running, end, 8, "")
const hold = { reason: "stopped", since: 1 } as const

test.each([
  ["done", { state: "done" }, "idle", hold],
  ["stopped, and the queue is held", { state: "stopped", onQueue: "hold" }, "idle", { reason: "stopped", since: 8 }],
  ["stopped, and the queue continues", { state: "stopped", onQueue: "drain" }, "idle", null],
  ["stopped for another message", { state: "stopped", onQueue: "hold", next: "msg_2" as MessageId }, "idle", null],
  [
    "failed",
    { state: "failed", error: { code: "x", detail: "y" }, isPassing: false },
    "error",
    { reason: "error", since: 8 },
  ],
] as const)(
  "[QUE-5] a turn that is %s leaves the conversation ready, and the queue as it says",
  (_, end, state, held) => {
    const { status, turn: row } = ended(end, { state: "busy", turn, message: "msg_1", held: hold })
    expect(status).toMatchObject({ state, held, turn: null, message: null, busyWith: null, unread: true, since: 8 })
    expect(row).toMatchObject({ state: end.state, endedAt: 8, error: "error" in end ? end.error : null })
  },
)

test("[TRN-14] an end adds the turn's usage, and shows the last reply if there was one", () => {
  const before = { usage: { ...emptyUsage, inputTokens: 4 }, preview: "How are crabs?" }
  expect(ended({ state: "done" }, before).status).toMatchObject({
    usage: { inputTokens: 7 },
    preview: "How are crabs?",
  })
  expect(endTurn(idle(before), running, { state: "done" }, 8, "They pinch.").status.preview).toBe("They pinch.")
})

test("a compaction does not make a conversation unread", () => {
  const compaction = { ...running, compaction: { keepTurns: 4 } } as unknown as TurnRow
  expect(endTurn(idle({ unread: false }), compaction, { state: "done" }, 8, "").status.unread).toBe(false)
})
