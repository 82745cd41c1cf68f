import { formatOffset, type MessageRow, type TurnEvent, type TurnEventBody } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { agUiFrame, parsePlace } from "./ag-ui-event.ts"
import { agUiAnswer, readAgUiInput } from "./ag-ui-input.ts"
import { agUiMessages } from "./ag-ui-messages.ts"
import { AgUiRun, type AgUiRunOptions } from "./ag-ui-run.ts"

type Body = TurnEventBody
const usage = { inputTokens: 3, outputTokens: 2, reasoningTokens: 1, cachedTokens: 0, costMicros: 0 }
const started = { type: "turn-started", message: "q", guestsNext: [] } as unknown as Body
const done = { type: "turn-ended", state: "done", error: null, usage } as Body
const step = (message = "m", author = "") => ({ type: "step-started", message, author }) as Body
const text = (words: string, message = "m", kind = "text") =>
  ({ type: "text-delta", message, part: 0, kind, text: words }) as Body
const input = { type: "tool-input", message: "m", call: "c", name: "pay", input: { to: "bo" } } as unknown as Body
const output = (change: object) =>
  ({
    type: "tool-output",
    message: "m",
    call: "c",
    name: "pay",
    state: "done",
    output: null,
    error: null,
    ...change,
  }) as Body
const ask = {
  id: "a",
  turn: "t",
  call: "c",
  kind: "approval",
  title: "?",
  detail: "",
  options: null,
  schema: null,
  expiresAt: 0,
}
const opened = (change: object = {}) => ({ type: "ask-opened", ask: { ...ask, ...change } }) as unknown as Body
const closed = { type: "ask-closed", ask } as unknown as Body

const eventsOf = (bodies: readonly Body[]) =>
  bodies.map((body, index) => ({ ...body, turn: "t", offset: formatOffset(index + 1), n: 0 }) as TurnEvent)

function run(bodies: readonly Body[], options: Partial<AgUiRunOptions> = {}) {
  const mapped = new AgUiRun({ threadId: "th", runId: "r", ...options })
  return eventsOf(bodies).flatMap((event) => mapped.read(event))
}
const typesOf = (placed: ReturnType<typeof run>) => placed.map(({ event }) => event.type)

describe("a run", () => {
  it("[API-35] has text, reasoning and tools, each opened and closed", () => {
    const bodies = [
      started,
      step(),
      text("Hm", "m", "reasoning"),
      text("Yes"),
      text("!"),
      input,
      output({ output: 7 }),
      done,
    ]
    expect(typesOf(run(bodies))).toEqual([
      "RUN_STARTED",
      "REASONING_START",
      "REASONING_MESSAGE_START",
      "REASONING_MESSAGE_CONTENT",
      "REASONING_MESSAGE_END",
      "REASONING_END",
      "TEXT_MESSAGE_START",
      "TEXT_MESSAGE_CONTENT",
      "TEXT_MESSAGE_CONTENT",
      "TEXT_MESSAGE_END",
      "TOOL_CALL_START",
      "TOOL_CALL_ARGS",
      "TOOL_CALL_END",
      "TOOL_CALL_RESULT",
      "RUN_FINISHED",
    ])
    expect(run(bodies).at(-1)?.event).toMatchObject({ outcome: { type: "success" }, usage: [{ inputTokens: 3 }] })
  })

  it("[API-38] how it ends", () => {
    const last = (change: object) => run([started, { ...done, ...change } as Body]).at(-1)?.event
    expect(last({ state: "stopped" })).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "cancelled" } })
    expect(last({ state: "interrupted" })).toMatchObject({ type: "RUN_ERROR", code: "turn.interrupted" })
    const error = { code: "model.failed", detail: "Down." }
    expect(last({ state: "failed", error })).toEqual({ type: "RUN_ERROR", message: "Down.", code: "model.failed" })
    const guests = { ...started, guestsNext: ["critic"] } as Body
    expect(typesOf(run([guests, done, started, step("n", "critic"), text("No", "n"), done]))).toEqual([
      "RUN_STARTED",
      "TEXT_MESSAGE_START",
      "TEXT_MESSAGE_CONTENT",
      "TEXT_MESSAGE_END",
      "RUN_FINISHED",
    ])
  })

  it("[API-36] ends at an ask, and another run continues after it", () => {
    const bodies = [started, step(), input, opened(), closed, output({ output: 7 }), done]
    expect(run(bodies).at(-1)?.event).toEqual({
      ...{ type: "RUN_FINISHED", threadId: "th", runId: "r" },
      outcome: {
        type: "interrupt",
        interrupts: [
          {
            ...{ id: "a", reason: "tool_call", message: "?", toolCallId: "m.c", expiresAt: "1970-01-01T00:00:00.000Z" },
            responseSchema: { type: "object", properties: { approved: { type: "boolean" } }, required: ["approved"] },
          },
        ],
      },
    })
    expect(typesOf(run(bodies, { afterAsk: "a" }))).toEqual(["RUN_STARTED", "TOOL_CALL_RESULT", "RUN_FINISHED"])
    const whole = { isClosed: () => true }
    expect(typesOf(run(bodies, { whole }))).toEqual([
      ...["TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "TOOL_CALL_RESULT", "RUN_FINISHED"],
    ])
  })

  it("[API-36] each kind of ask has its reason and schema", () => {
    const interrupt = (change: object) => {
      const last = run([started, opened({ call: null, expiresAt: null, ...change })]).at(-1)?.event
      return last?.type === "RUN_FINISHED" && last.outcome.type === "interrupt" ? last.outcome.interrupts[0] : undefined
    }
    expect(interrupt({})).toMatchObject({ reason: "confirmation" })
    expect(interrupt({ kind: "question", options: ["A"], detail: "d" })).toMatchObject({
      ...{ reason: "input_required", message: "?\nd" },
      responseSchema: { properties: { answer: { enum: ["A"] } } },
    })
    const schema = { type: "object" }
    expect(interrupt({ kind: "form", schema })).toMatchObject({ reason: "input_required", responseSchema: schema })
    expect(interrupt({ kind: "form" })).not.toHaveProperty("responseSchema")
  })

  it("[API-37] continues after any event with the same events, and after an end with none", () => {
    const bodies = [started, step(), text("One"), text("two"), input, output({ output: 7 }), done]
    const all = run(bodies)
    for (const [index, { place }] of all.entries()) expect(run(bodies, { after: place })).toEqual(all.slice(index + 1))
    const asked = [started, input, opened(), closed, done]
    const end = run(asked).at(-1)?.place
    expect(run(asked, { after: end })).toEqual([])
  })

  it("[API-38] a second attempt continues the text, or starts another message", () => {
    const again = (words: string) =>
      run([
        started,
        step(),
        text("Good"),
        { type: "attempt-reset", message: "m" } as Body,
        step("n"),
        text(words, "n"),
        done,
      ])
    const texts = (words: string) =>
      again(words).flatMap(({ event }) =>
        event.type === "TEXT_MESSAGE_CONTENT" ? [[event.messageId, event.delta]] : [],
      )
    expect(texts("Good morning")).toEqual([
      ["m", "Good"],
      ["m", " morning"],
    ])
    expect(texts("Golden")).toEqual([
      ["m", "Good"],
      ["n.1", "Golden"],
    ])
  })

  it("passes on notices, retries and messages that join", () => {
    const joined = { id: "s", composer: { clientId: "mine" }, parts: [{ type: "text", text: "No, left" }] }
    const bodies = [
      { type: "notice", message: "m", code: "n", text: "Shortened." },
      { type: "retrying", attempt: 2, retryAt: 5, error: null },
      { type: "steering-message", message: joined },
      { type: "steering-message", message: { ...joined, parts: [] } },
    ] as unknown as Body[]
    expect(run(bodies).map(({ event }) => event)).toMatchObject([
      { type: "CUSTOM", name: "parlor.notice" },
      { type: "CUSTOM", name: "parlor.retrying", value: { attempt: 2 } },
      { type: "TEXT_MESSAGE_START", role: "user", messageId: "mine" },
      { delta: "No, left" },
      { type: "TEXT_MESSAGE_END" },
    ])
  })

  it("results say what went wrong", () => {
    const result = (change: object) => {
      const last = run([started, output({ state: "failed", ...change })]).at(-1)?.event
      return last?.type === "TOOL_CALL_RESULT" ? last.content : undefined
    }
    expect(result({ error: { code: "tool.failed", detail: "Broke." } })).toBe("Error: Broke.")
    expect(result({ error: { code: "tool.refused", detail: "No." } })).toBe("Denied: No.")
    expect(result({ state: "unknown" })).toContain("unknown")
    expect(result({ state: "done", output: "Plain." })).toBe("Plain.")
  })
})

describe("event ids", () => {
  it("[API-37] an id identifies one event; any other text is not an id", () => {
    const place = { turn: "trn_1", offset: formatOffset(7, "tx"), n: 1, k: 2 }
    const [, id = ""] = /^id: (.+)\n/.exec(agUiFrame({ type: "TOOL_CALL_END", toolCallId: "x" }, place)) ?? []
    expect(parsePlace(id)).toEqual(place)
    for (const odd of ["", "x", "t:1:0.0", `t:${"9".repeat(17)}:0.0`, `${id}.1`, id.replace(":", "")])
      expect(parsePlace(odd)).toBeUndefined()
  })
})

describe("inputs", () => {
  const user = { id: "u", role: "user", content: "Hi" }
  const read = (change: object) => readAgUiInput({ threadId: "t", runId: "r", messages: [user], ...change })

  it("[API-35] the last message, with its files", () => {
    expect(read({})).toEqual({ kind: "send", id: "u", text: "Hi", files: [] })
    const source = { type: "data", value: "AA==", mimeType: "image/png" }
    const content = [
      { type: "text", text: "See" },
      { type: "image", source },
      { type: "audio", source: { type: "url", value: "data:audio/wav;base64,AA==" }, metadata: { filename: "a.wav" } },
      { type: "document", source: { type: "url", value: "/v1/attachments/h" }, metadata: 7 },
    ]
    expect(read({ messages: [{ ...user, content }] })).toMatchObject({
      files: [
        { name: "image", mediaType: "image/png", url: "data:image/png;base64,AA==" },
        { name: "a.wav", mediaType: "audio/wav" },
        { name: "document", mediaType: "application/octet-stream" },
      ],
    })
  })

  it("[API-39] refuses what it cannot use", () => {
    const part = (one: unknown) => ({ messages: [{ ...user, content: [one] }] })
    const foreign = { type: "image", source: { type: "url", value: "https://example.com/a.png" } }
    for (const [change, said] of [
      [{ protocolVersion: "0.9" }, "not 0.9"],
      [{ threadId: " x" }, "space"],
      [{ messages: [] }, "no message"],
      [{ messages: [{ id: "t", role: "tool" }] }, "Tools run on the server"],
      [{ messages: [{ id: "t", role: "system" }] }, "nothing to send"],
      [part({ type: "video" }), "A part is"],
      [part(foreign), "data: URL"],
      [{ messages: [{ id: "u", role: "user" }] }, "needs `content`"],
    ] as const)
      expect(() => read(change)).toThrow(said)
    expect(read({ protocolVersion: "1.4" }).kind).toBe("send")
  })

  it("[API-36] answers are in the payload's field, or the payload itself", () => {
    expect(read({ resume: [{ interruptId: "a", status: "cancelled" }] })).toMatchObject({ kind: "resume" })
    expect(agUiAnswer({ kind: "approval" }, { approved: true })).toBe(true)
    expect(agUiAnswer({ kind: "approval" }, false)).toBe(false)
    expect(agUiAnswer({ kind: "question" }, { answer: "Tea" })).toBe("Tea")
    expect(agUiAnswer({ kind: "question" }, {})).toBeNull()
    expect(agUiAnswer({ kind: "form" }, { n: 1 })).toEqual({ n: 1 })
    expect(agUiAnswer({ kind: "form" }, undefined)).toBeNull()
  })
})

describe("a snapshot of messages", () => {
  it("[API-37] has what streams show, with the same ids", () => {
    const row = (id: string, parts: readonly object[], change: object = {}) =>
      ({
        id,
        role: "agent",
        author: "",
        turn: "t",
        state: "done",
        dimmed: false,
        composer: null,
        parts,
        ...change,
      }) as unknown as MessageRow
    const tool = (state: string) => ({
      type: "tool",
      call: "c",
      name: "pay",
      input: { n: 1 },
      state,
      output: 7,
      error: null,
    })
    const rows = [
      row("q", [{ type: "text", text: "Hi" }, { type: "context" }], { role: "person", composer: { clientId: "mine" } }),
      row("p", [{ type: "attachment", mediaType: "audio/wav", hash: "h" }], { role: "person" }),
      row("x", [{ type: "text", text: "Half" }], { state: "failed" }),
      row("m", [{ type: "reasoning", text: "Hm." }, { type: "text", text: "Yes" }, tool("done")], { author: "critic" }),
      row("w", [tool("waiting")]),
      row("e", [{ type: "notice" }]),
      row("d", [{ type: "text", text: "Gone" }], { dimmed: true }),
    ]
    expect(agUiMessages(rows)).toMatchObject([
      { id: "mine", role: "user", content: "Hi" },
      { id: "p", content: [{ type: "audio", source: { value: "/v1/attachments/h" } }] },
      { id: "m.0.reasoning", role: "reasoning", content: "Hm." },
      { id: "m", role: "assistant", name: "critic", content: "Yes", toolCalls: [{ id: "m.c" }] },
      { id: "m.c.result", role: "tool", toolCallId: "m.c", content: "7" },
      { id: "w", toolCalls: [{ function: { name: "pay", arguments: '{"n":1}' } }] },
    ])
  })
})
