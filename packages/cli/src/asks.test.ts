import { expect, test } from "vitest"
import { asking } from "../test/rows.ts"
import { askLines, findAsk, howToAnswer, isPlainAnswer, readAnswer } from "./asks.ts"

const approval = asking("approval")
const choice = asking("question", { options: ["Red", "2", "blue"] })
const open = asking("question")
const form = asking("form", { schema: { properties: { name: { type: "string" }, age: { type: "number" } } } })

test.each([
  [approval, "y", true],
  [approval, " YES ", true],
  [approval, "no", false],
  [choice, "1", "Red"],
  [choice, "red", "Red"],
  [choice, "2", "2"],
  [choice, "3", "blue"],
  [open, "any text, 3", "any text, 3"],
  [form, '{"name":"Ada"}', { name: "Ada" }],
])("[TRN-12] an answer is parsed by the kind of ask: %#", (ask, typed, meant) => {
  expect(readAnswer(ask, typed)).toEqual(meant)
})

test.each([
  [approval, "maybe", "yes or no"],
  [choice, "green", "Red, 2, blue"],
  [choice, "9", "1 to 3"],
  [open, "  ", "answer is empty"],
  [form, "name=Ada", "JSON object"],
  [form, "[1]", "JSON object"],
])("[TRN-12] an invalid answer is refused before it is sent: %#", (ask, typed, complaint) => {
  expect(() => readAnswer(ask, typed)).toThrow(complaint)
})

test("[TRN-12] only an unambiguous line is taken as an answer", () => {
  expect(["y", "n", "Yes", "no"].every((line) => isPlainAnswer(approval, line))).toBe(true)
  expect(["ok", "yes please", "1", ""].some((line) => isPlainAnswer(approval, line))).toBe(false)
  expect(["0", "4", "red", "1."].some((line) => isPlainAnswer(choice, line))).toBe(false)
  expect(isPlainAnswer(choice, "3")).toBe(true)
  expect(isPlainAnswer(open, "1")).toBe(false)
  expect(isPlainAnswer(form, "1")).toBe(false)
})

test("an ask is shown with its options or fields, and how to answer it", () => {
  expect(askLines(asking("question", { title: "Which?", detail: "One\nof", options: ["a", "b"] }))).toEqual([
    "Which?",
    "  One",
    "  of",
    "  1. a",
    "  2. b",
  ])
  expect(askLines(form).at(-1)).toBe("  fields: name (string), age (number)")
  expect([approval, choice, open].map((ask) => howToAnswer(ask, "/answer"))).toEqual([
    "y or n",
    "a number from 1 to 3",
    "/answer <text>",
  ])
})

test("a model's control characters do not get through", () => {
  const ask = asking("question", { title: "\u001b]0;x\u0007", detail: "a\rb", options: ["\u009b2J"] })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test checks that there are no control characters.
  expect(askLines(ask).join("")).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
})

test("an ask is named by its number or id", () => {
  const asks = [approval, asking("form", { id: "ask_2" as typeof approval.id })]
  expect(findAsk(asks, "2").kind).toBe("form")
  expect(findAsk(asks, "ask_1")).toBe(approval)
  expect(() => findAsk(asks, "3")).toThrow("Open questions: 2")
  expect(() => findAsk([], "1")).toThrow("There are no open questions")
})
