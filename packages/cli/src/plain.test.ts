import fc from "fast-check"
import { expect, test } from "vitest"
import { plain, plainJson } from "./plain.ts"

// biome-ignore lint/suspicious/noControlCharactersInRegex: the test checks that there are no control characters.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/

test.each([
  ["colour", "\u001b[31mred\u001b[0m", "␛[31mred␛[0m"],
  ["window title", "\u001b]0;pwned\u0007", "␛]0;pwned␇"],
  ["clipboard", "\u001b]52;c;ZWNobw==\u001b\\", "␛]52;c;ZWNobw==␛\\"],
  ["one-byte escape", "\u009b2J", "\ufffd2J"],
  ["overwritten line", "safe\rforged", "safe␍forged"],
  ["backspace", "yes\b\b\bno", "yes␈␈␈no"],
  ["reversed writing", "abc\u202etxt.exe", "abc\ufffdtxt.exe"],
])("%s in a model's text does not reach the terminal", (_, text, shown) => {
  expect(plain(text)).toBe(shown)
})

test("text without control characters, tabs and newlines are unchanged", () => {
  expect(plain("Grüße 👋🏽\n\tשלום\r\nend")).toBe("Grüße 👋🏽\n\tשלום\nend")
})

test("a sequence split anywhere is still caught", () => {
  const pieces = fc.array(fc.string({ unit: fc.constantFrom("\u001b", "]", "[", "\u0007", "\r", "\u009b", "a", "\n") }))
  fc.assert(
    fc.property(pieces, (texts) => {
      expect(texts.map(plain).join("")).not.toMatch(CONTROL)
    }),
  )
})

test("JSON keeps its meaning and contains no control characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const json = plainJson(JSON.stringify({ text }))
      expect(json).not.toMatch(CONTROL)
      expect(JSON.parse(json)).toEqual({ text })
    }),
  )
})
