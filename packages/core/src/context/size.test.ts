import type { MessageRow, Part } from "@parlor/protocol"
import { messageOf, messageWith } from "@parlor/protocol/testing"
import { describe, expect, it } from "vitest"
import { z } from "zod"
import type { Tool } from "../agent/tool.ts"
import { READ_OUTPUT } from "./cut-output.ts"
import { charsPerToken, messageChars, type Prompt, promptChars, promptTokens } from "./size.ts"
import { toolSpec } from "./tool-spec.ts"

const tool = (name: string) => ({ name, description: "d", input: z.object({}) }) as unknown as Tool
const promptOf = (change: Partial<Prompt> = {}): Prompt => ({
  brief: { author: "", instructions: "", notes: "", tools: [] },
  archive: undefined,
  messages: [],
  window: 100_000,
  ...change,
})
const sized = (chars: number, change: Partial<MessageRow> = {}) => messageOf("m", 1, "x".repeat(chars), change)
const counted = (chars: number, tokens: number, change: Partial<MessageRow> = {}) =>
  sized(0, { prompt: { chars, tokens }, ...change })
const archive = (change: object) =>
  ({ summary: "", madeOrd: null, charsPerToken: undefined, ...change }) as Prompt["archive"]

describe("how many characters a prompt has", () => {
  it("[CPT-11] counts what a model is sent of each part, and what surrounds it", () => {
    const chars = (part: Part) => messageChars(messageWith({ parts: [part] }))
    const call = { type: "tool", call: "c", name: "pay", state: "done", output: null, error: null } as const
    expect(chars({ type: "text", text: "12345" })).toBe(5)
    expect(chars({ type: "context", kind: "k", title: "12", content: "345", metadata: null })).toBe(45)
    expect(chars({ ...call, input: { a: 1 } })).toBe(3 + 7 + 4 + 40)
    expect(chars({ ...call, input: "12", output: "345", error: { code: "e", detail: "6789" } })).toBe(
      3 + 2 + 3 + 4 + 40,
    )
    expect(chars({ type: "reasoning", text: "12345" })).toBe(0)
    expect(chars({ type: "notice", code: "n", text: "12345" })).toBe(0)
    expect(messageChars(messageWith({ parts: [], inbox: { type: "t", payload: [1] } }))).toBe(3)
  })

  it("[CPT-11] counts nothing of what is not shown", () => {
    expect(messageChars(sized(5, { dimmed: true }))).toBe(0)
    expect(messageChars(sized(5, { state: "failed" }))).toBe(0)
    const message = sized(5)
    expect([messageChars(message), messageChars(message)]).toEqual([5, 5])
  })

  it("[CPT-11] instructions, notes, tools and the summary count; read_output only where it is offered", () => {
    const [pay, read] = [tool("pay"), tool(READ_OUTPUT)]
    const size = (one: Tool) => JSON.stringify(toolSpec(one)).length
    const brief = { author: "", instructions: "12", notes: "345", tools: [pay, read] }
    const summed = promptOf({ brief, archive: archive({ summary: "6789" }), messages: [sized(10), sized(20)] })
    for (const _ of ["first", "again"]) expect(promptChars(summed)).toBe(2 + 3 + size(pay) + 4 + 30)
    const kept = {
      type: "tool",
      call: "",
      name: "",
      input: "",
      state: "done",
      output: "",
      error: null,
      kept: "h",
    } as const
    const withCut = promptOf({ brief, messages: [messageWith({ parts: [kept] })] })
    expect(promptChars(withCut)).toBe(2 + 3 + size(pay) + size(read) + 40)
  })

  it("[CPT-11] attachments count by what goes along of them", () => {
    const attached = (mediaType: string, bytes: number): MessageRow =>
      messageWith({ role: "person", parts: [{ type: "attachment", hash: "h", name: "a", mediaType, bytes }] })
    const without = (message: MessageRow) => promptChars(promptOf({ messages: [message] })) - messageChars(message)
    expect(without(attached("image/png", 50_000))).toBe(6_000)
    expect(without(attached("text/plain", 700))).toBe(700)
    expect(messageChars(attached("image/png", 1))).toBe(41)
  })
})

describe("how many characters a token has", () => {
  const perToken = (message: MessageRow | undefined, change: Partial<Prompt> = {}) =>
    charsPerToken(promptOf({ messages: message ? [message] : [], ...change }))

  it("[CPT-11] three where nobody has counted, else as the last count has it, at least 0.5 and at most 8", () => {
    expect(perToken(undefined)).toBe(3)
    expect(perToken(counted(8_000, 2_000))).toBe(4)
    expect(perToken(counted(8_000, 100))).toBe(8)
    expect(perToken(counted(8_000, 80_000))).toBe(0.5)
    expect(perToken(undefined, { archive: archive({ charsPerToken: 5 }) })).toBe(5)
    expect(perToken(counted(8_000, 2_000), { archive: archive({ charsPerToken: 5 }) })).toBe(4)
  })

  it("[CPT-11] a short prompt may warn of many tokens, but not promise few", () => {
    expect(perToken(counted(3_999, 500))).toBe(3)
    expect(perToken(counted(4_000, 500))).toBe(8)
    expect(perToken(counted(3_999, 3_999))).toBe(1)
  })

  it("[CPT-11] goes by whoever is about to speak, and by the newest count", () => {
    const own = counted(8_000, 2_000)
    const guest = counted(8_000, 4_000, { author: "critic" })
    expect(charsPerToken(promptOf({ messages: [own, guest] }))).toBe(4)
    expect(
      charsPerToken(promptOf({ messages: [guest, own, sized(5)], brief: { ...promptOf().brief, author: "critic" } })),
    ).toBe(2)
    expect(charsPerToken(promptOf({ messages: [own, counted(8_000, 1_600)] }))).toBe(5)
    expect(charsPerToken(promptOf({ messages: [own], brief: { ...promptOf().brief, author: "new" } }))).toBe(4)
  })
})

describe("how many tokens a prompt has", () => {
  it("[CPT-11] the last count, and what was added since", () => {
    const messages = [counted(8_000, 2_000, { ord: 5 }), sized(12_000, { ord: 6 })]
    expect(promptTokens(promptOf({ messages }))).toBe(2_000 + (12_000 - 8_000) / 4)
    expect(promptTokens(promptOf({ messages: [counted(80_000, 10, { ord: 5 })] }))).toBe(0)
    expect(promptTokens(promptOf({ messages: [sized(300)] }))).toBe(100)
  })

  it("[CPT-11] a count from before the last compaction, or of several windows, is not believed", () => {
    // Of a short prompt: then the count and the characters give different estimates.
    const messages = [counted(1_000, 100, { ord: 5 }), sized(4_000, { ord: 6 })]
    const byCount = 100 + (4_000 - 1_000) / 3
    const byChars = 4_000 / 3
    expect(promptTokens(promptOf({ messages }))).toBe(byCount)
    expect(promptTokens(promptOf({ messages, archive: archive({ madeOrd: 4 }) }))).toBe(byCount)
    expect(promptTokens(promptOf({ messages, archive: archive({ madeOrd: 5 }) }))).toBe(byChars)
    expect(promptTokens(promptOf({ messages, window: 25 }))).toBe(byCount)
    expect(promptTokens(promptOf({ messages, window: 24 }))).toBe(byChars)
  })
})
