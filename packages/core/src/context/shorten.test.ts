import type { MessageRow, Part } from "@parlor/protocol"
import { messageOf, messageWith } from "@parlor/protocol/testing"
import { describe, expect, it } from "vitest"
import { leftOutChars, maxPartChars, shortenParts } from "./shorten.ts"
import type { Prompt } from "./size.ts"

const text = (chars: number) => messageOf("m", 1, "x".repeat(chars))
const promptOf = (messages: readonly MessageRow[]): Prompt => ({
  brief: { author: "", instructions: "", notes: "", tools: [] },
  archive: undefined,
  messages,
  window: 100_000,
})
const tool = (input: unknown, output: unknown): Part =>
  ({ type: "tool", call: "c", name: "", input, output, state: "done", error: null }) as Part
const shortened = (part: Part, most: number) => shortenParts([messageWith({ parts: [part] })], most)[0]?.parts[0]

describe("how long a part may be", () => {
  it("[CPT-14] as long as it is when the prompt fits", () => {
    expect(maxPartChars(promptOf([text(3_000)]), 1_000)).toBeUndefined()
    expect(maxPartChars(promptOf([text(3_003)]), 1_000)).toBe(3_000)
  })

  it("[CPT-14] the longest are brought down together, until enough is saved", () => {
    expect(maxPartChars(promptOf([text(9_000), text(3_000)]), 2_000)).toBe(3_000)
    expect(maxPartChars(promptOf([text(3_000), text(9_000), text(6_000)]), 4_000)).toBe(4_500)
    expect(maxPartChars(promptOf([text(6_000), text(6_000)]), 2_000)).toBe(3_000)
    const payload = messageWith({ parts: [], inbox: { type: "t", payload: "x".repeat(9_000) } })
    expect(maxPartChars(promptOf([payload, text(600)]), 1_200)).toBe(2_998)
  })

  it("[CPT-14] but never shorter than is worth reading", () => {
    expect(maxPartChars(promptOf([text(9_000), text(100)]), 10)).toBe(500)
    expect(maxPartChars(promptOf([text(600), text(600)]), 10)).toBe(500)
  })
})

describe("parts that are shortened", () => {
  it("[CPT-14] show their beginning and their end, and say how much is between", () => {
    const shown = shortened(
      { type: "text", text: `${"a".repeat(750)}${"b".repeat(100)}${"c".repeat(250)}` },
      1_000,
    ) as { text: string }
    const [head, note, tail] = shown.text.split("\n")
    expect([head, tail]).toEqual(["a".repeat(750), "c".repeat(250)])
    expect(note).toContain("100 characters omitted")
    const context: Part = { type: "context", kind: "k", title: "t", content: "x".repeat(20), metadata: null }
    expect(shortened(context, 8)).toMatchObject({ title: "t", content: expect.stringContaining("12 characters") })
  })

  it("[CPT-14] what fits stays the very same", () => {
    const message = messageWith({
      parts: [{ type: "text", text: "x".repeat(10) }],
      inbox: { type: "t", payload: "12345678" },
    })
    expect(shortenParts([message], 10)[0]).toBe(message)
    const long = messageWith({
      parts: [
        { type: "text", text: "x".repeat(11) },
        { type: "text", text: "y".repeat(10) },
      ],
    })
    expect(shortenParts([long], 10)[0]?.parts[1]).toBe(long.parts[1])
    const thought: Part = { type: "reasoning", text: "x".repeat(100) }
    expect(shortened(thought, 10)).toBe(thought)
  })

  it("[CPT-14] of a tool its input and its output have half each; only the longer one is shortened", () => {
    expect(shortened(tool("i".repeat(20), "o".repeat(5)), 10)).toMatchObject({
      input: { shortened: expect.stringContaining("15 characters") },
      output: "o".repeat(5),
    })
    expect(shortened(tool({ a: 1 }, "o".repeat(20)), 14)).toMatchObject({
      input: { a: 1 },
      output: expect.stringContaining("13 characters"),
    })
    const fits = tool("i".repeat(5), "o".repeat(5))
    expect(shortened(fits, 10)).toBe(fits)
  })

  it("[CPT-14] a long payload is shortened as text, a short one beside a long text is not", () => {
    const payload = (chars: number, words: string) =>
      shortenParts([messageOf("m", 1, words, { inbox: { type: "t", payload: "p".repeat(chars) } })], 10)[0]
    expect(payload(30, "hi")?.inbox).toMatchObject({
      type: "t",
      payload: expect.stringContaining("characters omitted"),
    })
    expect(payload(10, "x".repeat(11))?.inbox).toEqual({ type: "t", payload: "p".repeat(10) })
    expect(shortenParts([text(11)], 10)[0]?.inbox).toBeNull()
  })

  it("[CPT-14] what is left out is counted over all of them", () => {
    const message = messageWith({
      parts: [tool("12345", "12345"), { type: "text", text: "123456" }],
      inbox: { type: "t", payload: "1234567" },
    })
    expect(leftOutChars([message, text(4)], 4)).toBe(6 + 2 + 3)
    expect(leftOutChars([message], 100)).toBe(0)
  })
})
