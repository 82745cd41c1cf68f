import fc from "fast-check"
import { expect, it } from "vitest"
import { addedLines, lineDiff } from "./lineDiff.ts"

it("shows what stayed, what went and what came", () => {
  expect(lineDiff("a\nb\nc", "a\nx\nc")).toBe(" a\n-b\n+x\n c")
  expect(lineDiff("a", "a\nb")).toBe(" a\n+b")
  expect(lineDiff("a\nb", "")).toBe("-a\n-b")
  expect(lineDiff("one\ntwo\nthree\nfour", "two\nfive\nfour")).toBe("-one\n two\n-three\n+five\n four")
  expect(addedLines("a\nb\n")).toBe("+a\n+b")
  expect(addedLines("")).toBe("")
})

it("[WSP-4] both texts can be read back from it, and nothing is said to change that did not", () => {
  const text = fc
    .array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 12 })
    .map((all) => all.join("\n"))
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = lineDiff(before, after).split("\n")
      const read = (mark: string) =>
        lines.filter((line) => " ".concat(mark).includes(line.charAt(0))).map((l) => l.slice(1))
      expect(read("-").join("\n")).toBe(before)
      expect(read("+").join("\n")).toBe(after)
    }),
  )
})

it("a very long change is told whole instead of compared", () => {
  const many = (letter: string) => Array.from({ length: 900 }, (_, index) => `${letter}${index}`).join("\n")
  const lines = lineDiff(many("a"), many("b")).split("\n")
  expect(lines).toHaveLength(1_800)
  expect(lines[0]).toBe("-a0")
  expect(lines[900]).toBe("+b0")
})
