import { type ModelEvent, ModelFault } from "@parlor/core"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { chunk } from "../../test/requests.ts"
import { answerParser } from "./parse.ts"

type Parsed = { readonly events: readonly ModelEvent[]; readonly error: unknown }

function parsed(pieces: readonly Buffer[]): Parsed {
  const events: ModelEvent[] = []
  let ids = 0
  try {
    const parser = answerParser((event) => events.push(event), { newCallId: () => `made_${ids++}` })
    for (const piece of pieces) parser.push(piece)
    parser.end()
    return { events, error: undefined }
  } catch (error) {
    return { events, error }
  }
}

function cut(bytes: Buffer, at: readonly number[]): Buffer[] {
  const places = [...new Set(at.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b)
  return [0, ...places].map((start, i) => bytes.subarray(start, places[i] ?? bytes.length))
}

const usage = `data: ${JSON.stringify({
  choices: [],
  usage: {
    prompt_tokens: 9,
    completion_tokens: 7,
    prompt_tokens_details: { cached_tokens: 4 },
    completion_tokens_details: { reasoning_tokens: 2 },
  },
})}\n\n`

const answer = [
  "\ufeff: keep-alive\n\n",
  chunk({ role: "assistant", content: "" }),
  chunk({ reasoning_content: "Hm… 日本" }),
  chunk({ content: "Grüße 👩‍🚀 " }).replaceAll("\n", "\r\n"),
  `event: message\nid: 7\n${chunk({ content: "zwei\nlines" })}`,
  chunk({ tool_calls: [{ index: 0, id: "a", type: "function", function: { name: "weather", arguments: "" } }] }),
  chunk({ tool_calls: [{ index: 1, id: "b", function: { name: "time", arguments: "" } }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: '{"city":"' } }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: 'Malmö"}' } }] }),
  chunk({}, "tool_calls"),
  usage,
  "data: [DONE]\n\n",
].join("")

const expected: readonly ModelEvent[] = [
  { type: "reasoning", text: "Hm… 日本" },
  { type: "block", of: "reasoning", meta: { compatible: { field: "reasoning_content" } } },
  { type: "text", text: "Grüße 👩‍🚀 " },
  { type: "text", text: "zwei\nlines" },
  { type: "tool", call: "a", name: "weather", input: '{"city":"Malmö"}' },
  { type: "tool", call: "b", name: "time", input: "{}" },
  {
    type: "finish",
    reason: "tools",
    usage: { inputTokens: 9, outputTokens: 7, reasoningTokens: 2, cachedTokens: 4 },
  },
]

describe("the chat-completions parser", () => {
  test("[TRN-16] text, reasoning, tool calls, usage and the finish are read", () => {
    expect(parsed([Buffer.from(answer)])).toEqual({ events: expected, error: undefined })
  })

  test("[TRN-16] however the bytes are cut, the events are the same", () => {
    const bytes = Buffer.from(answer)
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 60 }), (at) => {
        expect(parsed(cut(bytes, at))).toEqual({ events: expected, error: undefined })
      }),
    )
    expect(parsed(cut(bytes, [...bytes.keys()]))).toEqual({ events: expected, error: undefined })
  })

  test("[TRN-10] every true prefix of an answer is a transient fault, and calls no tool", () => {
    const end = answer.indexOf('"finish_reason":"tool_calls"')
    const bytes = Buffer.from(answer.slice(0, end))
    for (let length = 0; length < bytes.length; length += 7) {
      const { events, error } = parsed([bytes.subarray(0, length)])
      expect(error).toBeInstanceOf(ModelFault)
      expect(error).toMatchObject({ transient: true })
      expect(events.every(({ type }) => type !== "tool" && type !== "finish")).toBe(true)
    }
  })

  test("[TRN-10] malformed streams throw nothing but ModelFault", () => {
    const json = fc.json({ maxDepth: 4 })
    const field = fc.constantFrom("choices", "delta", "tool_calls", "function", "usage", "content", "error", "index")
    const shaped = fc
      .tuple(field, fc.jsonValue({ maxDepth: 3 }))
      .chain(([name, value]) =>
        fc.constantFrom(
          { [name]: value },
          { choices: [{ delta: { [name]: value } }] },
          { choices: [{ delta: { tool_calls: [{ [name]: value }] } }] },
          { choices: [{ [name]: value, finish_reason: "stop" }], usage: { prompt_tokens_details: value } },
        ),
      )
      .map((value) => JSON.stringify(value))
    const line = fc.oneof(json, shaped, fc.string(), fc.constant("[DONE]")).map((text) => `data: ${text}\n`)
    const noise = fc.oneof(line, fc.string(), fc.constant("\r\n")).map((text) => Buffer.from(text))
    const bytes = fc.uint8Array({ maxLength: 40 }).map((raw) => Buffer.from(raw))
    fc.assert(
      fc.property(fc.array(fc.oneof(noise, bytes), { maxLength: 12 }), (pieces) => {
        const { error } = parsed(pieces)
        if (error !== undefined) expect(error).toBeInstanceOf(ModelFault)
      }),
      { numRuns: 500 },
    )
  })

  test.each([
    ["an overloaded server", { error: { message: "overloaded", code: 503 } }, true],
    ["a full context", { error: { message: "too long", code: "context_length_exceeded" } }, false],
    ["a bad request", { error: { message: "bad", type: "invalid_request_error", code: null } }, false],
    ["a plain sentence", { error: "out of memory" }, true],
    ["an error object", { object: "error", message: "no such model", code: 404 }, false],
  ])("[TRN-10] %s inside the stream is a fault with the right hope", (_, value, transient) => {
    const { error } = parsed([Buffer.from(`${chunk({ content: "a" })}data: ${JSON.stringify(value)}\n\n`)])
    expect(error).toBeInstanceOf(ModelFault)
    expect(error).toMatchObject({ transient })
  })

  test.each([
    ["stop", "stop"],
    ["length", "length"],
    ["content_filter", "filter"],
    ["eos", "other"],
  ])("[TRN-16] the finish reason %s means %s", (wire, reason) => {
    const { events } = parsed([Buffer.from(chunk({ content: "a" }, wire))])
    expect(events.at(-1)).toMatchObject({ type: "finish", reason })
  })

  test("[TRN-16] calls without index, without id, with an object as input or beside `stop` are read", () => {
    const { events } = parsed([
      Buffer.from(chunk({ tool_calls: [{ function: { name: "a", arguments: { x: 1 } } }] })),
      Buffer.from(chunk({ tool_calls: [{ id: "two", function: { name: "b", arguments: "{" } }] })),
      Buffer.from(chunk({ tool_calls: [{ function: { arguments: "}" } }] }, "stop")),
    ])
    expect(events).toMatchObject([
      { type: "tool", call: "made_0", name: "a", input: '{"x":1}' },
      { type: "tool", call: "two", name: "b", input: "{}" },
      { type: "finish", reason: "tools" },
    ])
  })

  test("[TRN-5] an answer cut short by its length calls no tool", () => {
    const call = { index: 0, id: "a", function: { name: "weather", arguments: '{"ci' } }
    const { events } = parsed([Buffer.from(chunk({ tool_calls: [call] }, "length"))])
    expect(events).toMatchObject([{ type: "finish", reason: "length" }])
  })

  test("[SEC-5] a character cut into two deltas is put together, and half a one replaced", () => {
    const halves = ["\\ud83d", "\\ude80", "\\ud83d"].map((half) => chunk({ content: "@" }).replace("@", half)).join("")
    const { events } = parsed([Buffer.from(halves + chunk({ content: "\u0000x" }, "stop"))])
    expect(events.map((event) => event.type === "text" && event.text)).toEqual(["🚀", "\ufffd\ufffdx", false])
  })

  test("[TRN-16] content in parts is read as text and reasoning", () => {
    const thinking = { type: "thinking", thinking: [{ type: "text", text: "hm" }] }
    const { events } = parsed([Buffer.from(chunk({ content: [thinking, { type: "text", text: "yes" }] }, "stop"))])
    expect(events.slice(0, 2)).toEqual([
      { type: "reasoning", text: "hm" },
      { type: "text", text: "yes" },
    ])
  })
})
