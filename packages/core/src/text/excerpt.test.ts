import { describe, expect, it } from "vitest"
import { titleFrom } from "./excerpt.ts"

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
