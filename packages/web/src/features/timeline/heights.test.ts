import type { MessageRow, Part } from "@parlor/protocol"
import { expect, it } from "vitest"
import { probableHeight, textPx } from "./heights.ts"

const measure = { widthPx: 700, named: true }
const said = (text: string, role: MessageRow["role"] = "agent") => ({ role, parts: [{ type: "text", text } as Part] })

it("[TAB-7] a longer text is guessed higher, by its lines", () => {
  const one = probableHeight(said("A word."), measure)
  const three = probableHeight(said("word ".repeat(50)), measure)
  expect(one).toBe(72 + 24)
  expect(three - one).toBe(48)
  expect(probableHeight(said("a\n\nb"), measure)).toBe(72 + 24 + 10 + 24)
  expect(probableHeight(said("A word."), { ...measure, named: false })).toBe(12 + 24)
})

it("one's own stands in a narrower bubble", () => {
  const text = "word ".repeat(60)
  expect(probableHeight(said(text, "person"), { ...measure, widthPx: 300 })).toBeGreaterThan(
    probableHeight(said(text), { ...measure, widthPx: 300 }) - 72 + 28,
  )
})

it("code keeps its lines, however long they are", () => {
  const code = `\`\`\`ts\n${"x".repeat(500)}\ny\n\`\`\``
  expect(textPx(code, 100)).toBe(44 + 21 + 21 + 12)
})

it("folded parts are small whatever they hold, and a message without any has a line", () => {
  const tool: Part = {
    type: "tool",
    call: "c",
    name: "n",
    input: {},
    state: "done",
    output: "x".repeat(9_000),
    error: null,
  }
  const parts: Part[] = [{ type: "reasoning", text: "x".repeat(9_000) }, tool, { type: "notice", code: "n", text: "t" }]
  expect(probableHeight({ role: "agent", parts }, measure)).toBe(72 + 28 + 12 + 40 + 12 + 42)
  expect(probableHeight({ role: "agent", parts: [] }, measure)).toBe(72 + 24)
})

it("a very long text is guessed from its beginning", () => {
  const line = `${"x".repeat(99)}\n`
  expect(textPx(line.repeat(1_000), 100)).toBeCloseTo(24_000, -2)
})
