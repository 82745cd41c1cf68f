import { emptyUsage, type TurnEvent, type TurnEventBody } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { parseResponseId, responseId } from "./response-id.ts"
import { ResponseStream } from "./response-stream.ts"

type Body = { readonly type: TurnEventBody["type"]; readonly [field: string]: unknown }

const place = {
  agent: "host",
  branch: "günther's talk",
  message: "msg_1",
  after: 12,
  created: 7,
  queued: false,
  background: false,
}
const usage = { ...emptyUsage, inputTokens: 5, outputTokens: 2 }
const started: Body = { type: "turn-started", message: "q", guestsNext: [] }
const step: Body = { type: "step-started", message: "m", author: "" }
const stepDone: Body = { type: "step-ended", message: "m", state: "done", usage }
const begins = (kind = "text", part = 0): Body => ({ type: "text-started", message: "m", part, kind })
const ends: Body = { type: "text-ended", message: "m", part: 0, kind: "text" }
const says = (text: string, kind = "text"): Body => ({ type: "text-delta", message: "m", part: 0, kind, text })
const reset: Body = { type: "attempt-reset", message: "m" }
const input: Body = { type: "tool-input", message: "m", call: "c", name: "pay", input: { to: "bo" } }
const output = (state = "done", error: object | null = null): Body =>
  ({ type: "tool-output", message: "m", call: "c", name: "pay", state, output: { ok: true }, error }) as Body
const ended = (state = "done", error: object | null = null): Body => ({ type: "turn-ended", state, error, usage })
const ask = { id: "a", kind: "approval", title: "Pay?", detail: "", options: null }
const opened: Body = { type: "ask-opened", ask }
const closed: Body = { type: "ask-closed", ask }

function run(bodies: readonly Body[], more: object = {}) {
  const response = new ResponseStream({ ...place, ...more })
  const read = (body: Body) => response.read({ turn: "t", offset: "", n: 0, ...body } as unknown as TurnEvent)
  const events = [...response.begin(), ...bodies.flatMap(read)]
  return { response, events, types: events.map(({ type }) => type.replace("response.", "")) }
}

describe("a turn as a response", () => {
  it("[API-7] items open, grow and close in order, numbered from 0", () => {
    const { events, types, response } = run([
      started,
      step,
      begins(),
      says("Hi "),
      says("there."),
      ends,
      stepDone,
      ended(),
    ])
    expect(types).toEqual([
      ...[
        "created",
        "in_progress",
        "output_item.added",
        "content_part.added",
        "output_text.delta",
        "output_text.delta",
      ],
      ...["output_text.done", "content_part.done", "output_item.done", "completed"],
    ])
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index))
    expect(response.snapshot()).toMatchObject({
      status: "completed",
      conversation: { id: "günther's talk" },
      usage: { input_tokens: 5, output_tokens: 2, total_tokens: 7 },
      output: [{ type: "message", status: "completed", content: [{ type: "output_text", text: "Hi there." }] }],
    })
  })

  it("[API-7] shows the text so far, and tools as calls that the server made", () => {
    const begun = run([started, step, begins("reasoning"), says("Hm", "reasoning")]).response.snapshot()
    expect(begun).toMatchObject({ status: "in_progress", usage: null, output: [{ summary: [{ text: "Hm" }] }] })
    expect(run([started, step, begins(), says("Half")]).response.text).toBe("Half")
    const { response, types } = run([started, step, begins(), says("Now."), input, output(), stepDone, ended()])
    expect(response.snapshot().output[1]).toMatchObject({
      ...{ type: "mcp_call", name: "pay", arguments: '{"to":"bo"}', status: "completed", output: '{"ok":true}' },
    })
    expect(types.slice(-4)).toEqual(["mcp_call.in_progress", "mcp_call.completed", "output_item.done", "completed"])
    const failed = run([started, step, input, output("failed", { code: "x", detail: "No." })])
    expect(failed.response.snapshot().output[0]).toMatchObject({ status: "failed", error: "No.", output: null })
  })

  it("[API-7] an abandoned attempt continues in the same item, also after a crash", () => {
    for (const state of ["failed", "truncated"]) {
      const { response, types } = run([
        ...[started, step, begins(), says("Half "), ends, { ...stepDone, state, usage: null }, reset],
        ...[step, begins(), says("Half and "), says("half."), ends, stepDone, ended()],
      ])
      expect(response.text, state).toBe("Half and half.")
      expect(types.filter((type) => type === "output_item.added")).toHaveLength(1)
    }
    const twoTexts = run([started, step, begins(), says("A"), ends, begins("text", 1), says("B"), stepDone, ended()])
    expect(twoTexts.response.text).toBe("A\n\nB")
  })

  it("[API-7] queued, stopped, removed from the queue, failed", () => {
    const waiting = run([], { queued: true, background: true })
    expect(waiting.types).toEqual(["created", "queued"])
    expect(waiting.response.cancel().map(({ type }) => type)).toEqual(["response.incomplete"])
    expect(waiting.response.snapshot()).toMatchObject({ status: "cancelled", background: true })
    expect(waiting.response.cancel()).toEqual([])
    expect(run([started], { queued: true }).types).toEqual(["created", "queued", "in_progress"])
    expect(run([started, ended("stopped")]).response.status).toBe("cancelled")
    const failed = run([started, ended("failed", { code: "x", detail: "It broke." })])
    expect(failed.types.at(-1)).toBe("failed")
    expect(failed.response.snapshot().error).toEqual({ code: "server_error", message: "It broke." })
  })

  it("[API-12] ends with the question; the next response begins with the result of the call", () => {
    const turn = [started, step, input, opened]
    const first = run([...turn, closed, output(), ended()])
    expect(first.response.text).toBe("**Pay?**\n\nReply yes or no.")
    expect(first.response.status).toBe("completed")
    const { response, types } = run([...turn, closed, output(), stepDone, ended()], { ask: "a" })
    expect(types.slice(0, 3)).toEqual(["created", "in_progress", "output_item.added"])
    expect(response.snapshot().output).toMatchObject([{ type: "mcp_call", status: "completed" }])
  })
})

describe("ids of responses", () => {
  it("[API-7] an id leads to its place", () => {
    for (const one of [place, { ...place, ask: "ask_1", queued: true, branch: "日本 ☕" }]) {
      expect(parseResponseId(responseId(one))).toEqual(one)
      expect(responseId(one)).toMatch(/^resp_[\w-]+$/)
    }
  })

  it("[API-14] anything else is none", () => {
    const of = (value: unknown) => `resp_${btoa(JSON.stringify(value))}`
    const ids = ["", "resp_", "resp_%%", "msg_x", of({}), of([]), of(["host", "a/b", "m", 0, 0, true, true])]
    for (const id of [...ids, of(["HOST", "b", "m", 0, 0, true, true]), of(["host", "b", "m", -1, 0, true, true])])
      expect(parseResponseId(id), id).toBeUndefined()
  })
})
