import { describe, expect, it } from "vitest"
import type { ChangeEvent, Operation } from "../change.ts"
import type { Collection } from "../collections.ts"
import { formatOffset } from "../offset.ts"
import { emptyUsage } from "../rows/blank-rows.ts"
import type { MessageRow, Part } from "../rows/message.ts"
import { askWith, messageWith, statusWith } from "../testing/rows.ts"
import { turnEventsAfter } from "./turn-reading.ts"

/** Numbers the changes it is given, as a log does. */
function logOf(...changes: readonly (readonly [Collection, object, Operation?])[]): ChangeEvent[] {
  return changes.map(([type, value, operation = "insert"], index) => {
    const headers = { operation, txid: "t", timestamp: "", offset: formatOffset(index + 1) }
    return { type, key: String(index), value, headers } as unknown as ChangeEvent
  })
}

const turn = (change: object = {}) => ({
  ...{ id: "t", message: "q", agent: "crab", guest: null, guestsNext: [], compaction: null },
  ...{ startedAt: 1, state: "running", error: null, usage: emptyUsage, ...change },
})
const started = ["turns", turn()] as const
const ended = ["turns", turn({ state: "done" }), "update"] as const
const message = (id: string, state: MessageRow["state"], parts: readonly Part[] = [], change: object = {}) =>
  messageWith({ id, turn: "t", state, parts: [...parts], ...change } as Partial<MessageRow>)
const text = (words: string): Part => ({ type: "text", text: words })
const delta = (words: string, change: object = {}) => ({
  message: "m",
  part: 0,
  kind: "text",
  n: 0,
  text: words,
  ...change,
})
const tool = (state: string): Part =>
  ({ type: "tool", call: "c", name: "pay", input: 1, state, output: null, error: null }) as Part

/** Types of events; of texts also what they say. */
function read(...changes: readonly (readonly [Collection, object, Operation?])[]): string[] {
  return [...turnEventsAfter(logOf(...changes))].map((event) =>
    event.type === "text-delta" || event.type === "notice" ? `${event.type} ${event.text}` : event.type,
  )
}

describe("turn events", () => {
  it("[LOG-33] a turn starts once and ends once, with what its row says", () => {
    const guests = turn({ guestsNext: ["critic"], compaction: { keepTurns: 1 } })
    const events = [...turnEventsAfter(logOf(["turns", guests], ["turns", guests, "update"], ended, ended))]
    expect(events).toMatchObject([
      {
        type: "turn-started",
        turn: "t",
        message: "q",
        guestsNext: ["critic"],
        compaction: true,
        offset: formatOffset(1),
        n: 0,
      },
      { type: "turn-ended", turn: "t", state: "done", usage: emptyUsage, offset: formatOffset(3), n: 0 },
    ])
    const { guestsNext: _, ...older } = turn()
    expect([...turnEventsAfter(logOf(["turns", older]))]).toMatchObject([{ guestsNext: [], compaction: false }])
  })

  it("[LOG-33] what belongs to no running turn, and what is deleted, brings nothing", () => {
    const other = message("x", "done", [text("Hi")], { turn: "other" })
    expect(read(ended, ["messages", message("m", "done")], ["asks", askWith()], ["status", statusWith()])).toEqual([])
    expect(read(["deltas", delta("Hi")], ["queue", {}])).toEqual([])
    const asks = askWith({ turn: "other" as never })
    expect(read(started, ["messages", other], ["asks", asks], ["messages", message("m", "done"), "delete"])).toEqual([
      "turn-started",
    ])
    expect(read(started, ["turns", turn({ id: "other", state: "done" }), "update"], ended)).toEqual([
      "turn-started",
      "turn-ended",
    ])
    const next = turn({ id: "t2" })
    expect([...turnEventsAfter(logOf(started, ["turns", next]))].map((event) => event.turn)).toEqual(["t", "t2"])
  })

  it("[LOG-33] a reply is a step: its text in deltas as far as it was not read, then its end", () => {
    const streaming = ["messages", message("m", "streaming")] as const
    const events = read(
      started,
      streaming,
      ["deltas", delta("Hel")],
      ["deltas", delta("lo", { n: 1 })],
      ["messages", message("m", "done", [text("Hello!")]), "update"],
    )
    const shown = ["text-started", "text-delta Hel", "text-delta lo", "text-delta !", "text-ended"]
    expect(events).toEqual(["turn-started", "step-started", ...shown, "step-ended"])
    const again = ["messages", message("m", "done", [text("Hello!")]), "update"] as const
    expect(read(started, again, again).filter((type) => type === "step-ended")).toHaveLength(1)
    expect(read(started, ["messages", message("m", "done", [text("")])])).toEqual([
      ...["turn-started", "step-started", "text-started", "text-ended", "step-ended"],
    ])
  })

  it("[LOG-33] deltas of another message, and before any step, bring nothing", () => {
    const streaming = ["messages", message("m", "streaming")] as const
    expect(read(started, ["deltas", delta("early")], streaming, ["deltas", delta("x", { message: "other" })])).toEqual([
      "turn-started",
      "step-started",
    ])
  })

  it("[LOG-33] a text ends where another part, a tool or a notice begins, and takes no more", () => {
    const streaming = ["messages", message("m", "streaming")] as const
    const thought = ["deltas", delta("Hm", { kind: "reasoning" })] as const
    const said = ["deltas", delta("Yes", { part: 1 })] as const
    const late = ["deltas", delta("late", { kind: "reasoning" })] as const
    expect(read(started, streaming, thought, said, late).slice(2)).toEqual([
      ...["text-started", "text-delta Hm", "text-ended", "text-started", "text-delta Yes"],
    ])
    const called = ["messages", message("m", "streaming", [text("One"), tool("waiting")]), "update"] as const
    expect(read(started, called).slice(2)).toEqual(["text-started", "text-delta One", "text-ended", "tool-input"])
    const notice: Part = { type: "notice", code: "n", text: "Shortened" }
    const noticed = ["messages", message("m", "streaming", [text("One"), notice]), "update"] as const
    const twice = ["messages", message("m", "streaming", [text("One"), notice, notice]), "update"] as const
    expect(read(started, noticed, noticed, twice).slice(2)).toEqual([
      ...["text-started", "text-delta One", "text-ended", "notice Shortened", "notice Shortened"],
    ])
    const context: Part = { type: "context", kind: "k", title: "", content: "", metadata: null }
    expect(read(started, ["messages", message("m", "streaming", [context])])).toEqual(["turn-started", "step-started"])
  })

  it("[LOG-33] a tool: its input, that it started, what it gave; each once", () => {
    const states = ["waiting", "waiting", "started", "done", "done"].map(
      (state) => ["messages", message("m", "streaming", [tool(state)]), "update"] as const,
    )
    expect(read(started, ...states).slice(2)).toEqual(["tool-input", "tool-started", "tool-output"])
    expect(read(started, ["messages", message("m", "streaming", [tool("unknown")])]).slice(2)).toEqual([
      "tool-input",
      "tool-output",
    ])
  })

  it("[LOG-33] an attempt that failed is reset by the next, one that ended well is not", () => {
    const failed = ["messages", message("m", "failed", [text("Hal")])] as const
    const next = ["messages", message("n", "streaming")] as const
    const steps = (types: readonly string[]) => types.filter((type) => !type.startsWith("text"))
    expect(steps(read(started, failed, next))).toEqual([
      ...["turn-started", "step-started", "step-ended", "attempt-reset", "step-started"],
    ])
    const done = ["messages", message("m", "done", [text("One")])] as const
    expect(steps(read(started, done, next))).toEqual(["turn-started", "step-started", "step-ended", "step-started"])
    const cut = ["messages", message("m", "truncated", [text("Hal")])] as const
    expect(steps(read(started, cut, ["messages", message("m", "streaming"), "update"]))).toEqual([
      ...["turn-started", "step-started", "step-ended", "attempt-reset", "step-started"],
    ])
    expect(steps(read(started, cut, ["messages", message("m", "truncated"), "update"]))).toEqual([
      ...["turn-started", "step-started", "step-ended"],
    ])
  })

  it("[LOG-33] texts that are open end with the next step and with the turn", () => {
    const open = [
      ["messages", message("m", "streaming")],
      ["deltas", delta("Hi")],
    ] as const
    expect(read(started, ...open, ["messages", message("n", "streaming")]).slice(3)).toEqual([
      ...["text-delta Hi", "text-ended", "step-started"],
    ])
    expect(read(started, ...open, ended).slice(3)).toEqual(["text-delta Hi", "text-ended", "turn-ended"])
  })

  it("[LOG-33, TRN-9] a message that joins is told once; the question itself is not", () => {
    const person = (id: string) => message(id, "done", [text("x")], { role: "person" })
    const joined = [
      ["messages", person("q")],
      ["messages", person("s")],
      ["messages", person("s"), "update"],
    ] as const
    expect(read(started, ...joined)).toEqual(["turn-started", "steering-message"])
    expect(read(started, ["messages", person("q"), "update"])).toEqual(["turn-started"])
  })

  it("[LOG-33] a question opens once and closes once", () => {
    const ask = (state: string) => ["asks", askWith({ turn: "t", state } as never), "update"] as const
    expect(read(started, ask("open"), ask("open"), ask("answered"), ask("answered"))).toEqual([
      ...["turn-started", "ask-opened", "ask-closed"],
    ])
    expect(read(started, ask("expired"))).toEqual(["turn-started"])
  })

  it("[LOG-33] each attempt that is waited for is told once", () => {
    const status = (change: object) => ["status", statusWith({ turn: "t", ...change } as never), "update"] as const
    const retrying = (attempt: number | null) => status({ state: "retrying", attempt, retryAt: 5 })
    const changes = [retrying(2), retrying(2), retrying(3), status({ state: "busy" }), retrying(3)]
    const events = [...turnEventsAfter(logOf(started, ...changes, ["status", statusWith(), "update"]))].slice(1)
    expect(events).toMatchObject([2, 3, 3].map((attempt) => ({ type: "retrying", attempt, retryAt: 5, error: null })))
    expect([...turnEventsAfter(logOf(started, retrying(null)))].at(-1)).toMatchObject({ attempt: 1 })
  })

  it("[LOG-33] reading goes on behind any event, and behind any offset", () => {
    const log = logOf(started, ["messages", message("m", "done", [text("One"), tool("done")])], ended)
    const all = [...turnEventsAfter(log)]
    expect(all.length).toBeGreaterThan(6)
    for (const [index, event] of all.entries()) expect([...turnEventsAfter(log, event)]).toEqual(all.slice(index + 1))
    expect([...turnEventsAfter(log, { offset: formatOffset(2) })]).toEqual(
      all.filter(({ offset }) => offset === formatOffset(3)),
    )
    for (const offset of ["now", "no offset"]) expect([...turnEventsAfter(log, { offset })]).toEqual([])
    expect([...turnEventsAfter(log, { offset: "-1" })]).toEqual(all)
  })
})
