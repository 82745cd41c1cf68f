import { describe, expect, it } from "vitest"
import { excerpt, titleFrom } from "./excerpt.ts"
import { textOf } from "./text-of.ts"

describe("a title from a first message", () => {
  it("is its first line, without Markdown", () => {
    expect(titleFrom("**Plan** the [trip](https://a.example) to `Rome`\nand more")).toBe("Plan the trip to Rome")
    expect(titleFrom("# Notes")).toBe("Notes")
  })

  it("is the first line with text", () => {
    expect(titleFrom("\n  \n> quoted\nmore")).toBe("quoted")
  })

  it("is the text itself when there is only Markdown syntax", () => {
    expect(titleFrom("---")).toBe("---")
    expect(titleFrom("")).toBe("")
  })

  it("is cut between characters", () => {
    expect(titleFrom("a".repeat(61))).toBe(`${"a".repeat(59)}…`)
    expect(titleFrom(`${"a".repeat(58)}😀b`)).toBe(`${"a".repeat(58)}…`)
  })

  it("does not read on in a long message", () => {
    expect(titleFrom(`${"\n".repeat(2_000)}far below`)).toBe("far below")
    expect(titleFrom(`first\n${"x".repeat(1_000_000)}`)).toBe("first")
  })
})

describe("an excerpt", () => {
  it("is one line without space around it, whole when it fits", () => {
    expect(excerpt("  a \n\t b  ", 10)).toBe("a b")
    expect(excerpt("abcde", 5)).toBe("abcde")
    expect(excerpt("abcdef", 5)).toBe("abcd…")
  })

  it("has no space before the dots, and looks at the beginning of a long text only", () => {
    expect(excerpt("abc defgh", 5)).toBe("abc…")
    expect(excerpt(`a${" ".repeat(100)}b`, 5)).toBe("a")
  })

  it("of a message is of what was said, without thoughts and tools", () => {
    const parts = [
      { type: "reasoning", text: "Hm. " },
      { type: "text", text: "One, " },
      { type: "notice", code: "n", text: "Shortened. " },
      { type: "text", text: "two." },
    ] as const
    expect(textOf(parts)).toBe("One, two.")
    expect(textOf([])).toBe("")
  })
})
