import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { plainWords } from "./plainWords.ts"

describe("plain words of a preview", () => {
  it("takes the marks away and leaves what they stand around", () => {
    expect(plainWords("It is **Monday, 16 November**. I asked the `current_time` tool.")).toBe(
      "It is Monday, 16 November. I asked the current_time tool.",
    )
    expect(plainWords("# Title\n\n- one *thing*\n- another\n> quoted")).toBe("Title one thing another quoted")
    expect(plainWords("See [the page](https://example.org/a_b) and ~~this~~ that")).toBe("See the page and this that")
    expect(plainWords("```ts\nconst a = 1\n```")).toContain("const a = 1")
  })

  it("takes away a mark whose end was cut off with the rest", () => {
    expect(plainWords("It is **Monday, 16 Nov")).toBe("It is Monday, 16 Nov")
    expect(plainWords("run `npm")).toBe("run npm")
  })

  it("leaves what only looks like a mark", () => {
    for (const text of ["2 * 3 * 4", "snake_case_name and a_b", "5 - 3 is 2?", "C# and F#", "a > b"])
      expect(plainWords(text)).toBe(text)
  })

  it("loses no letter, whatever it is given, and is quick", () => {
    const letters = (text: string) => text.replace(/[^\p{L}]/gu, "")
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
        if (/\]\(/.test(text)) return
        expect(letters(plainWords(text))).toBe(letters(text))
      }),
    )
    const began = performance.now()
    for (const mark of ["*", "_", "`", "[", "**a", "> ", "~~"]) plainWords(mark.repeat(5_000))
    expect(performance.now() - began).toBeLessThan(1_000)
  })
})
