import fc from "fast-check"
import { expect, test } from "vitest"
import { decodeKeys, type Key } from "./keys.ts"

const names = (input: string): readonly string[] =>
  decodeKeys(input).keys.map((key) => (key.name === "text" ? `"${key.text}"` : key.name))

test.each([
  ["abc é👋", ['"abc é👋"']],
  ["hi\r", ['"hi"', "enter"]],
  ["\u0003\u0004\u007f", ["interrupt", "leave", "backspace"]],
  ["\u001b[A\u001bOB\u001b[1;5C\u001bb", ["up", "down", "word-right", "word-left"]],
  ["\u001b\r\n", ["newline", "newline"]],
  ["\u001b\u001b[D", ["escape", "left"]],
  ["\u001b[15~x", ['"x"']],
  ["\u0000\ta", ["complete", '"a"']],
  ["\u001b[200~a\r\nb\rc\u001b[201~\r", ['"a\nb\nc"', "enter"]],
])("%j", (input, keys) => {
  expect(names(input)).toEqual(keys)
})

test("an incomplete sequence waits for more", () => {
  for (const open of ["\u001b", "\u001b[", "\u001b[1;", "\u001bO", "\u001b[200~pasted\r"])
    expect(decodeKeys(`a${open}`)).toEqual({ keys: [{ name: "text", text: "a" }], rest: open })
})

test("keys split anywhere are the same keys", () => {
  const input = "a\u001b[Ab\u001b[200~x\r\ny\u001b[201~\u001b[1;5D\u0017\rc\u001bOC"
  const joined = (keys: readonly Key[]): string =>
    keys.map((key) => (key.name === "text" ? key.text : `<${key.name}>`)).join("")
  fc.assert(
    fc.property(fc.array(fc.nat(input.length)), (cuts) => {
      const places = [...cuts, input.length].sort((a, b) => a - b)
      const keys: Key[] = []
      let rest = ""
      let from = 0
      for (const to of places) {
        const decoded = decodeKeys(rest + input.slice(from, to))
        keys.push(...decoded.keys)
        rest = decoded.rest
        from = to
      }
      expect(joined(keys)).toBe(joined(decodeKeys(input).keys))
      expect(rest).toBe("")
    }),
  )
})
