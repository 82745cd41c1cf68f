import { describe, expect, it } from "vitest"
import { streamEvent } from "./stream-part.ts"

describe("parts of a stream", () => {
  it.each([
    ["text", { type: "text", text: "text" }],
    [
      { type: "text-delta", id: "1", text: "a" },
      { type: "text", text: "a" },
    ],
    [
      { type: "text-delta", id: "1", delta: "a" },
      { type: "text", text: "a" },
    ],
    [
      { type: "text-delta", textDelta: "a" },
      { type: "text", text: "a" },
    ],
    [
      { type: "reasoning-delta", id: "1", text: "a" },
      { type: "reasoning", text: "a" },
    ],
    [
      { type: "tool-call", toolCallId: "c", toolName: "t", args: { a: 1 } },
      { type: "call", call: "c", input: { a: 1 } },
    ],
    [{ type: "tool-result", toolCallId: "c", toolName: "t", output: 1, preliminary: true }, undefined],
    [
      { type: "tool-result", toolCallId: "c", toolName: "t", output: new Date(0) },
      { output: "1970-01-01T00:00:00.000Z" },
    ],
    [
      { type: "tool-output-error", toolCallId: "c", errorText: "No." },
      { type: "failed", detail: "No." },
    ],
    [
      { type: "tool-output-denied", toolCallId: "c" },
      { type: "failed", detail: "The call was denied." },
    ],
    [
      { type: "error", errorText: "No." },
      { type: "error", error: "No." },
    ],
    [{ type: "file", file: {} }, undefined],
  ])("[COD-1] %j", (part, event) => {
    const read = streamEvent(part)
    if (event === undefined) expect(read).toBeUndefined()
    else expect(read).toMatchObject(event)
  })

  it("[COD-1] usage of all versions of the AI SDK, without nonsense", () => {
    const usage = {
      inputTokens: 9,
      outputTokens: Number.NaN,
      inputTokenDetails: { cacheReadTokens: 4, cacheWriteTokens: 2 },
      outputTokenDetails: { reasoningTokens: -1 },
    }
    expect(streamEvent({ type: "finish-step", usage, response: { modelId: "m" } })).toEqual({
      type: "usage",
      of: "step",
      counts: { inputTokens: 9, outputTokens: 0, reasoningTokens: 0, cachedTokens: 4, cacheWriteTokens: 2 },
      model: "m",
    })
    const old = { type: "finish", usage: { promptTokens: 3, completionTokens: 2 } }
    expect(streamEvent(old)).toMatchObject({
      of: "total",
      counts: { inputTokens: 3, outputTokens: 2 },
      model: undefined,
    })
    expect(streamEvent({ type: "finish" })).toBeUndefined()
  })

  it("[COD-1] an output with a cycle is recorded as words", () => {
    const output: { self?: unknown } = {}
    output.self = output
    expect(streamEvent({ type: "tool-result", toolCallId: "c", output })).toMatchObject({ output: "[object Object]" })
  })

  it.each([5, null, undefined, [], {}, { type: 1 }])("[COD-1] %j is not a part", (value) => {
    expect(() => streamEvent(value)).toThrow("strings, or of objects with a type")
  })
})
