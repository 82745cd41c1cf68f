import { emptyUsage, type MessageRow, type TurnEvent, type TurnEventBody } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { type UiChunk, uiFrame } from "./ui-chunk.ts"
import { UiStream, type UiStreamOptions } from "./ui-stream.ts"

/** Bodies of events; ids are plain words here. */
type Body = { readonly type: TurnEventBody["type"]; readonly [field: string]: unknown }

const started: Body = { type: "turn-started", message: "q", guestsNext: [], compaction: false }
const done: Body = { type: "turn-ended", state: "done", error: null, usage: emptyUsage }
const step: Body = { type: "step-started", message: "m", author: "" }
const stepDone: Body = { type: "step-ended", message: "m", state: "done", usage: null }
const stepFailed: Body = { ...stepDone, state: "failed" }
const reset: Body = { type: "attempt-reset", message: "m" }
const says = (text: string, kind = "text"): Body => ({ type: "text-delta", message: "m", part: 0, kind, text })
const input: Body = { type: "tool-input", message: "m", call: "c", name: "pay", input: { to: "bo" } }
const output = (fields: object): Body =>
  ({
    type: "tool-output",
    message: "m",
    call: "c",
    name: "pay",
    state: "done",
    output: null,
    error: null,
    ...fields,
  }) as Body
const ask = { id: "a", call: "c", kind: "approval", title: "Pay?", detail: "bo", options: null, schema: null }

function run(bodies: readonly Body[], options: UiStreamOptions = { version: 7 }): UiChunk[] {
  const stream = new UiStream(options)
  return bodies.flatMap((body) => stream.read({ turn: "trn_1", offset: "", n: 0, ...body } as unknown as TurnEvent))
}

const texts = (chunks: readonly UiChunk[]) => chunks.map((chunk) => ("delta" in chunk ? chunk.delta : ""))

describe("a turn as a UI message stream", () => {
  it("[API-1] one turn is one message: start, steps with text and reasoning, finish with what was used", () => {
    const part = { message: "m", part: 1, kind: "reasoning" }
    const bodies = [
      ...[started, step, { type: "text-started", ...part } as Body, says("Hm", "reasoning")],
      ...[{ type: "text-ended", ...part } as Body, says("Yes"), stepDone, done],
    ]
    expect(run(bodies)).toEqual([
      { type: "start", messageId: "trn_1" },
      { type: "start-step" },
      { type: "reasoning-start", id: "m.1" },
      { type: "reasoning-delta", id: "m.0", delta: "Hm" },
      { type: "reasoning-end", id: "m.1" },
      { type: "text-delta", id: "m.0", delta: "Yes" },
      { type: "finish-step" },
      { type: "finish", finishReason: "stop", messageMetadata: { usage: emptyUsage } },
    ])
    expect(uiFrame({ type: "start-step" })).toBe('data: {"type":"start-step"}\n\n')
  })

  it("nothing comes after the end, and the stream says that it has ended", () => {
    const stream = new UiStream({ version: 7 })
    expect(stream.ended).toBe(false)
    const read = (body: Body) => stream.read({ turn: "trn_1", offset: "", n: 0, ...body } as unknown as TurnEvent)
    for (const body of [started, step]) read(body)
    expect(stream.ended).toBe(false)
    expect(read(done).map(({ type }) => type)).toEqual(["finish-step", "finish"])
    expect(stream.ended).toBe(true)
    expect(read(says("late"))).toEqual([])
  })

  it("turns of guests are further steps of the same message; only the last one finishes it", () => {
    const bodies = [
      { ...started, guestsNext: ["critic"] },
      step,
      stepDone,
      done,
      { ...started, turn: "trn_2" },
      step,
      stepDone,
      done,
    ]
    expect(run(bodies).map(({ type }) => type)).toEqual([
      "start",
      "start-step",
      "finish-step",
      "start-step",
      "finish-step",
      "finish",
    ])
    const stopped = [
      { ...started, guestsNext: ["critic"] },
      { ...done, state: "stopped" },
    ]
    expect(run(stopped).at(-1)).toEqual({ type: "abort", reason: "stopped" })
  })

  it("a stopped turn aborts, a failed one says why, an interrupted one says so", () => {
    const failed = { ...done, state: "failed", error: { code: "model.failed", detail: "Down." } }
    expect(run([started, { ...done, state: "stopped" }]).at(-1)).toEqual({ type: "abort", reason: "stopped" })
    expect(run([started, failed]).at(-1)).toEqual({ type: "error", errorText: "Down." })
    expect(run([started, step, { ...done, state: "interrupted" }]).slice(-2)).toEqual([
      { type: "finish-step" },
      { type: "error", errorText: "The turn was interrupted." },
    ])
  })

  it("[API-4] a step that failed stays open until the next event tells; version 7 takes it back", () => {
    const bodies = [started, step, says("Hal"), stepFailed, reset, step, says("Hallo"), stepDone, done]
    expect(run(bodies).map(({ type }) => type)).toEqual([
      "start",
      "start-step",
      "text-delta",
      "reset-step",
      "text-delta",
      "finish-step",
      "finish",
    ])
  })

  it.each([
    ["the same text", ["Good ", "morning"], ["Good", " mor", "ning", "!"], ["!"]],
    ["a piece that is shown in part", ["Good"], ["Good morn", "ing"], [" morn", "ing"]],
    ["another text", ["Good"], ["Bad", " luck"], ["Bad", " luck"]],
    ["a text that begins alike", ["Good"], ["Go", "ld", "en"], ["ld", "en"]],
  ])(
    "version 6 cannot take text back: of a second attempt with %s it gets what it does not show yet",
    (_, first, second, shown) => {
      const again = [stepFailed, reset, step, ...second.map((text) => says(text))]
      const bodies = [started, step, ...first.map((text) => says(text)), ...again]
      const before = 2 + first.length
      expect(texts(run(bodies, { version: 6 })).slice(before)).toEqual(shown)
    },
  )

  it("version 6 is given reasoning again, and each new step starts afresh", () => {
    const bodies = [
      started,
      step,
      says("Hm", "reasoning"),
      says("One"),
      stepFailed,
      reset,
      step,
      says("Hm", "reasoning"),
    ]
    expect(texts(run(bodies, { version: 6 })).slice(2)).toEqual(["Hm", "One", "Hm"])
    const twice = [started, step, says("One"), stepDone, step, says("One"), stepDone]
    expect(texts(run(twice, { version: 6 })).filter((text) => text !== "")).toEqual(["One", "One"])
  })

  it("tools: input, output, error, denial, an outcome nobody knows", () => {
    const ours = { dynamic: true, providerExecuted: true }
    const results = [
      output({ output: 7 }),
      output({ state: "failed", error: { code: "tool.failed", detail: "Broke." } }),
      output({ state: "failed", error: { code: "tool.refused", detail: "No." } }),
      output({ state: "unknown" }),
    ]
    expect(run([started, step, input, ...results]).slice(2)).toEqual([
      { type: "tool-input-available", toolCallId: "c", toolName: "pay", input: { to: "bo" }, ...ours },
      { type: "tool-output-available", toolCallId: "c", output: 7, ...ours },
      { type: "tool-output-error", toolCallId: "c", errorText: "Broke.", ...ours },
      { type: "tool-output-denied", toolCallId: "c" },
      { type: "tool-output-error", toolCallId: "c", errorText: expect.stringContaining("unknown"), ...ours },
    ])
  })

  it("ends at an approval and at a question, for a client that streams asks its person nothing", () => {
    const opened = (fields: object): Body => ({ type: "ask-opened", ask: { ...ask, ...fields } })
    const { id: _, call: __, ...question } = { ...ask, kind: "question" }
    const end = [{ type: "finish-step" }, { type: "finish", finishReason: "tool-calls" }]
    const after = (fields: object) => run([started, step, input, opened(fields), says("late")]).slice(3)
    expect(after({})).toEqual([{ type: "tool-approval-request", approvalId: "a", toolCallId: "c" }, ...end])
    expect(after({ kind: "question" })).toEqual([{ type: "data-ask", id: "a", data: question }, ...end])
    expect(after({ call: null })[0]).toMatchObject({ type: "data-ask", data: { kind: "approval" } })
  })

  it("continues behind an answered ask, in the step that the client has open", () => {
    const closed = (id: string): Body => ({ type: "ask-closed", ask: { ...ask, id } })
    const before = [started, step, input, closed("other"), closed("a")]
    const rest = [output({ output: 7 }), step, says("Paid"), stepDone, done]
    expect(run([...before, ...rest], { version: 7, afterAsk: "a" }).map(({ type }) => type)).toEqual([
      "start",
      "tool-output-available",
      "text-delta",
      "finish-step",
      "finish",
    ])
    expect(run(before, { version: 7, afterAsk: "a" })).toEqual([{ type: "start", messageId: "trn_1" }])
  })

  it("an answer that was a message of its own begins another message, without the calls before it", () => {
    const closed: Body = { type: "ask-closed", ask }
    const rest = [output({}), step, { ...input, call: "d" }, output({ call: "d", output: 7 }), stepDone, done]
    const chunks = run([started, step, input, closed, ...rest], { version: 7, afterAsk: "a", inNewMessage: true })
    expect(chunks[0]).toEqual({ type: "start", messageId: "a" })
    expect(chunks.map(({ type }) => type)).toEqual([
      "start",
      "start-step",
      "tool-input-available",
      "tool-output-available",
      "finish-step",
      "finish",
    ])
  })

  it("guests that come after an answered ask are still waited for", () => {
    const bodies = [{ ...started, guestsNext: ["critic"] }, { type: "ask-closed", ask } as Body, stepDone, done]
    expect(run(bodies, { version: 7, afterAsk: "a" }).map(({ type }) => type)).toEqual(["start", "finish-step"])
  })

  it("notices, retries and messages that join are passed on; what needs no chunk gives none", () => {
    const message = { id: "s", parts: [{ type: "text", text: "No, left" }] } as unknown as MessageRow
    const bodies = [
      { type: "notice", message: "m", code: "shortened", text: "Shortened." } as Body,
      { type: "retrying", attempt: 2, retryAt: 5, error: null } as Body,
      { type: "steering-message", message } as Body,
      { type: "tool-started", message: "m", call: "c", name: "pay" } as Body,
      { type: "ask-closed", ask } as Body,
    ]
    const parts = [{ type: "text", text: "No, left" }]
    const [notice, retrying, joined, ...rest] = run(bodies)
    expect(notice).toEqual({ type: "data-notice", data: { code: "shortened", text: "Shortened." } })
    expect(retrying).toEqual({ type: "data-retrying", data: { attempt: 2, retryAt: 5 }, transient: true })
    expect(joined).toEqual({ type: "steering-message", id: "s", parts })
    expect(rest).toEqual([])
    expect(run(bodies, { version: 6 })[2]).toEqual({ type: "data-steering-message", id: "s", data: { parts } })
  })
})
