/** Tests the checkers: each kind of violation is planted in a valid history and must be found. */
import { formatOffset, type Sent } from "@parlor/protocol"
import { describe, expect, test } from "vitest"
import { checkHistory } from "./check-history.ts"
import { checkLog, checkRest } from "./check-log.ts"
import { checkRows, rowsOfState } from "./check-rows.ts"
import { defectOf } from "./fake-model.ts"
import { History } from "./history.ts"
import { type RawEvent, rawEvents, splitObjects } from "./raw-events.ts"

const TALK = "host/main"

type Change = { type: string; key: string; value: Record<string, unknown>; operation?: string; txid?: string }

function logOf(changes: readonly Change[]): RawEvent[] {
  const events = changes.map(({ type, key, value, operation = "update", txid = "tx_1" }, index) => ({
    type,
    key,
    value,
    headers: { operation, txid, timestamp: "2026-01-01T00:00:00.000Z", offset: formatOffset(index + 1) },
  }))
  return rawEvents(JSON.stringify(events))
}

const status = (turn: string | null): Change => ({
  type: "status",
  key: "status",
  value: { state: turn === null ? "idle" : "busy", turn },
})
const turn = (id: string, message: string, state: string): Change => ({
  type: "turns",
  key: id,
  value: { id, message, state, endedAt: state === "running" ? null : 1 },
  operation: state === "running" ? "insert" : "update",
})
const person = (id: string, ord: number, text: string): Change => ({
  type: "messages",
  key: id,
  value: { id, ord, role: "person", state: "done", turn: null, parts: [{ type: "text", text }] },
  operation: "insert",
})
const reply = (id: string, ord: number, state: string, text: string, operation = "update"): Change => ({
  type: "messages",
  key: id,
  value: { id, ord, role: "agent", state, turn: "t1", parts: text === "" ? [] : [{ type: "text", text }] },
  operation,
})
const delta = (message: string, n: number, text: string): Change => ({
  type: "deltas",
  key: `${message}/0/${n}`,
  value: { message, part: 0, kind: "text", n, text },
  operation: "insert",
})
const queued = (id: string, source: string, operation = "insert"): Change => ({
  type: "queue",
  key: id,
  value: { id, payload: { source } },
  operation,
  txid: "tx_2",
})

const good: readonly Change[] = [
  { ...status(null), operation: "insert", txid: "tx_0" },
  person("m1", 1, "one"),
  turn("t1", "m1", "running"),
  status("t1"),
  reply("r1", 2, "streaming", "", "insert"),
  delta("r1", 0, "so "),
  queued("m2", "two"),
  delta("r1", 1, "on"),
  reply("r1", 2, "truncated", "so on"),
  turn("t1", "m1", "stopped"),
  status(null),
  queued("m2", "two", "delete"),
  { ...person("m2", 3, "two"), txid: "tx_3" },
  turn("t2", "m2", "running"),
  status("t2"),
  turn("t2", "m2", "done"),
  status(null),
]

function without(index: number): Change[] {
  return good.filter((_, i) => i !== index)
}

function changed(index: number, change: Change): Change[] {
  return good.map((known, i) => (i === index ? change : known))
}

function goodHistory(log: readonly RawEvent[]): History {
  const history = new History()
  for (const raw of log) history.see({ name: "reader", conversation: TALK, last: raw.seq - 1 }, raw)
  const sent = (message: string, seq: number) =>
    ({ outcome: "ok", value: { message, outcome: "started", offset: formatOffset(seq), txid: "" } as Sent }) as const
  history.sends.push(
    { conversation: TALK, input: { text: "one", key: "k1", mode: "immediate" }, answers: [sent("m1", 4)] },
    {
      conversation: TALK,
      input: { text: "two", key: "k2", mode: "immediate" },
      answers: [{ outcome: "unknown", why: "killed" }, sent("m2", 7)],
    },
    {
      conversation: TALK,
      input: { text: "three", key: "k3", mode: "immediate" },
      answers: [{ outcome: "unknown", why: "killed" }],
    },
  )
  history.stops.push({
    conversation: TALK,
    turn: "t1",
    answer: { outcome: "ok", value: { turn: "t1", state: "stopped" } },
  })
  return history
}

describe("the checker of logs", () => {
  test("a good log passes", () => {
    expect([...checkLog(logOf(good)), ...checkRest(logOf(good))]).toEqual([])
  })

  const cut: readonly Change[] = [...good.slice(0, 9), status("t1")]

  test("[TRN-18] so does one in which a step that was cut off is asked again, in the same row", () => {
    const again = [reply("r1", 2, "streaming", ""), delta("r1", 0, "no"), reply("r1", 2, "done", "no")]
    expect(checkLog(logOf([...cut, ...again]))).toEqual([])
  })

  const faults: readonly (readonly [string, string, readonly Change[]])[] = [
    ["a reply beside one that was cut off", "[TRN-18]", [...cut, reply("r2", 3, "streaming", "", "insert")]],
    [
      "a kept text that still has what was cut",
      "[TRN-5]",
      [...cut, reply("r1", 2, "streaming", ""), delta("r1", 0, "no"), reply("r1", 2, "done", "so onno")],
    ],
    ["a turn that starts beside another", "[TRN-1]", [...good.slice(0, 4), turn("t9", "m9", "running")]],
    ["a turn that ends twice", "[TRN-1]", [...good, turn("t2", "m2", "failed")]],
    ["a message that runs twice", "[QUE-14]", [...good, turn("t3", "m2", "running")]],
    ["a status that names no turn while one runs", "[TRN-2]", changed(3, status(null))],
    ["a missing piece of text", "[LOG-10]", without(5)],
    ["a kept text that lacks what was streamed", "[TRN-5]", changed(8, reply("r1", 2, "truncated", "so"))],
    ["text after the end", "[TRN-5]", [...good, delta("r1", 2, "!")]],
    ["a message that changes after its end", "[TRN-5]", [...good, reply("r1", 2, "done", "so on")]],
    ["a message that comes twice", "[QUE-14]", [...good, { ...person("m2", 4, "two") }]],
    ["a number that goes back", "[LOG-27]", [...good, person("m3", 2, "three")]],
  ]
  test.each(faults)("%s is found", (_, rule, changes) => {
    expect(checkLog(logOf(changes)).join("\n")).toContain(rule)
  })

  test("a gap is found", () => {
    expect(checkLog(logOf(good).filter((raw) => raw.seq !== 8)).join("\n")).toContain("[LOG-1]")
  })

  test("a turn, a message or a queue that never ends is found", () => {
    const left = checkRest(logOf([...good, queued("m4", "four"), turn("t4", "m5", "running"), status("t4")]))
    expect(left.join("\n")).toMatch(/\[QUE-6\].*busy.*m4 is left queued.*t4 is left running/s)
  })
})

describe("the checker of histories", () => {
  test("a good history passes", () => {
    const log = logOf(good)
    expect(checkHistory(goodHistory(log), TALK, log)).toEqual([])
    expect(goodHistory(log).violations).toEqual([])
    expect(goodHistory(log).attempts).toEqual({ all: 5, ok: 3 })
  })

  const history = () => goodHistory(logOf(good))
  const check = (it: History, changes: readonly Change[]) => checkHistory(it, TALK, logOf(changes)).join("\n")

  test("an acknowledged message that is gone is found", () => {
    expect(check(history(), good.slice(0, 6))).toContain("[LOG-4] m2")
  })

  test("an event that was shown and is gone, or is another now, is found", () => {
    expect(check(history(), good.slice(0, -1))).toContain("[LOG-3] event 17 was shown and is gone")
    expect(check(history(), changed(5, delta("r1", 0, "so, ")))).toContain("[LOG-3] event 6 was shown as")
  })

  test("a message whose text is another is found", () => {
    expect(check(history(), changed(1, person("m1", 1, "won")))).toContain('[LOG-4] m1 was sent as "one"')
  })

  test("a key that made two messages is found, also when no answer came", () => {
    const twice = [...good, person("m7", 7, "three"), person("m8", 8, "three")]
    expect(check(history(), twice)).toContain("[QUE-11] key k3 made m7 and m8")
  })

  test("a repeat with another answer is found", () => {
    const it = history()
    const answers = it.sends[0]?.answers
    answers?.push({ outcome: "ok", value: { message: "m9", outcome: "queued", offset: "", txid: "" } })
    expect(check(it, good)).toContain("[QUE-11] key k1 was answered m1 and then m9")
  })

  test("a message that is said and still waits is found", () => {
    expect(check(history(), without(11))).toContain("[QUE-14] m2")
  })

  test("an acknowledgement with the wrong place is found", () => {
    const it = history()
    const answer = it.sends[0]?.answers[0]
    if (answer?.outcome === "ok")
      it.sends[0]?.answers.splice(0, 1, {
        outcome: "ok",
        value: { ...answer.value, offset: formatOffset(13) },
      })
    expect(check(it, good)).toContain("[LOG-4] m1 was acknowledged at")
  })

  test("a message nobody sent is found", () => {
    expect(check(history(), [...good, person("m9", 9, "boo")])).toContain("[LOG-4] nobody sent m9")
  })

  test("a stop that did not hold is found", () => {
    expect(check(history(), changed(9, turn("t1", "m1", "done")))).toContain("[TRN-4] t1 was stopped and ended done")
    expect(check(history(), without(9))).toContain("[TRN-4] t1 was stopped and has no end")
    expect(check(history(), [...good, reply("r2", 9, "done", "more")])).toContain("[TRN-4] 18: r2 belongs to t1")
  })

  test("a reader that is shown a gap, or the same number with other bytes, is found", () => {
    const it = history()
    const [first, , third] = logOf(good)
    if (first === undefined || third === undefined) throw new Error("no log")
    it.see({ name: "jumpy", conversation: TALK, last: 1 }, third)
    it.see({ name: "other", conversation: TALK, last: 0 }, { ...first, text: "{}" })
    expect(it.violations).toHaveLength(2)
  })
})

describe("the checker of rows", () => {
  const log = logOf(good)
  const rows = rowsOfState(
    log.filter(
      ({ event, seq }) => event.type !== "deltas" && event.type !== "queue" && isLast(log, event.type, event.key, seq),
    ),
  )

  test("rows that fold from the log pass", () => {
    expect(checkRows(log, rows)).toEqual([])
  })

  test("a row too few, too many, twice or different is found", () => {
    expect(checkRows(log, rows.slice(1)).join()).toContain("not among the rows")
    expect(checkRows(log, [...rows, { collection: "queue", key: "m2", value: {} }]).join()).toContain("does not give")
    expect(checkRows(log, [...rows, ...rows]).join()).toContain("twice")
    expect(
      checkRows(
        log,
        rows.map((row) => ({ ...row, value: {} })),
      ).join(),
    ).toContain("folds to")
  })
})

test("[TRN-8] the fake provider knows a request that a real one would refuse", () => {
  const system = { role: "system", content: "be" }
  const user = { role: "user", content: "hi" }
  const call = { role: "assistant", content: null, tool_calls: [{ id: "c1" }] }
  const result = { role: "tool", content: "x", tool_call_id: "c1" }
  expect(defectOf([system, user])).toBeUndefined()
  expect(defectOf([system, user, call, result])).toBeUndefined()
  expect(defectOf([user])).toContain("instructions")
  expect(defectOf([system, user, user])).toContain("in a row")
  expect(defectOf([system, user, call, user])).toContain("without a result")
  expect(defectOf([system, user, result])).toContain("no call")
  expect(defectOf([system, user, { role: "assistant", content: " " }, user])).toContain("empty")
  expect(defectOf([system, user, { role: "assistant", content: "yes" }])).toContain("ends with")
})

test("events are cut apart where they are, not where a text looks like it", () => {
  expect(splitObjects('[{"a":"}{\\"","b":{"c":[{}]}},{"d":1}]')).toEqual(['{"a":"}{\\"","b":{"c":[{}]}}', '{"d":1}'])
})

function isLast(log: readonly RawEvent[], type: string, key: string, seq: number): boolean {
  return log.findLast(({ event }) => event.type === type && event.key === key)?.seq === seq
}
