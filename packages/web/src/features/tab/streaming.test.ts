import { loadingState } from "@parlor/client"
import type { MessageId, MessageRow, Part } from "@parlor/protocol"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { bytesOf, streamingBytes, tailed } from "./streaming.ts"

const message = (state: MessageRow["state"], ...parts: Part[]) =>
  ({ id: "m" as MessageId, state, parts }) as unknown as MessageRow
const text = (words: string): Part => ({ type: "text", text: words })
const tool: Part = { type: "tool", call: "c", name: "t", input: {}, state: "done", output: "x".repeat(99), error: null }

it("counts bytes as UTF-8 has them", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (words) => {
      expect(bytesOf(words.toWellFormed())).toBe(new TextEncoder().encode(words).length)
    }),
  )
})

describe("[TAB-5] the text of messages that are being said", () => {
  it("counts what is streaming, and nothing else", () => {
    expect(streamingBytes([message("done", text("aaaa")), message("streaming", text("äb"), tool, text("c"))])).toBe(4)
  })

  it("within the budget nothing changes, not even the object", () => {
    const state = {
      ...loadingState,
      messages: [message("streaming", text("abc")), message("done", text("x".repeat(99)))],
    }
    expect(tailed(state, 9)).toBe(state)
  })

  it("over the budget the end is shown until it is done", () => {
    const long = message("streaming", text("first "), tool, text(`${"word ".repeat(40)}the end`))
    const shown = tailed({ ...loadingState, messages: [long] }, 60).messages[0]
    expect(shown?.parts).toEqual([text(""), tool, text("…rd word word the end")])
    const done = { ...loadingState, messages: [{ ...long, state: "done" as const }] }
    expect(tailed(done, 60)).toBe(done)
  })
})
