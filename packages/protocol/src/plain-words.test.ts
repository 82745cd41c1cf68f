import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { plainSnippet, plainWords } from "./plain-words.ts"

describe("plain words of a preview", () => {
  it("removes the marks and keeps the text between them", () => {
    expect(plainWords("It is **Monday, 16 November**. I asked the `current_time` tool.")).toBe(
      "It is Monday, 16 November. I asked the current_time tool.",
    )
    expect(plainWords("# Title\n\n- one *thing*\n- another\n> quoted")).toBe("Title one thing another quoted")
    expect(plainWords("See [the page](https://example.org/a_b) and ~~this~~ that")).toBe("See the page and this that")
    expect(plainWords("```ts\nconst a = 1\n```")).toContain("const a = 1")
  })

  it("removes a mark whose end was cut off", () => {
    expect(plainWords("It is **Monday, 16 Nov")).toBe("It is Monday, 16 Nov")
    expect(plainWords("run `npm")).toBe("run npm")
  })

  it("cuts a long text, and says so", () => {
    expect(plainWords("x".repeat(1_000))).toBe("x".repeat(1_000))
    expect(plainWords("x".repeat(1_001))).toBe(`${"x".repeat(999)}…`)
  })

  it("removes nested marks", () => {
    expect(plainWords("run **`npm test`** and __~~not~~ that__")).toBe("run npm test and not that")
    expect(plainWords("> - one\n> ## two")).toBe("one two")
  })

  it("removes half a mark where the text was cut", () => {
    expect(plainWords("…bold** and **more**, then `code` and **the end…")).toBe(
      "…bold and more, then code and the end…",
    )
    expect(plainWords("…## Plan\n- first")).toBe("…Plan first")
    expect(plainWords("…the page](https://example.org) and [another](https://exa…")).toBe("…the page and another…")
    expect(plainWords("2** and char** x")).toBe("2** and char** x")
  })

  it("keeps what only looks like a mark", () => {
    for (const text of [
      "2 * 3 * 4",
      "snake_case_name and a_b",
      "rename __init__.py and __all__",
      "5 - 3 is 2?",
      "C# and F#",
      "a > b",
    ])
      expect(plainWords(text)).toBe(text)
  })

  it("never loses a letter, and is fast", () => {
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

describe("a snippet with its words marked", () => {
  const shown = (given: string) => {
    const marks: [number, number][] = []
    let text = ""
    for (const piece of given.split(/(«[^»]*»)/)) {
      if (piece.startsWith("«")) marks.push([text.length, text.length + piece.length - 2])
      text += piece.replace(/[«»]/g, "")
    }
    const plain = plainSnippet({ text, marks })
    let out = ""
    let last = 0
    for (const [start, end] of plain.marks) {
      out += `${plain.text.slice(last, start)}«${plain.text.slice(start, end)}»`
      last = end
    }
    return out + plain.text.slice(last)
  }

  it("[CPT-8] keeps the highlights in place when the Markdown around them is removed", () => {
    expect(shown("# The «plan»\n\n- a **«bold»** «plan», with `«code»`")).toBe(
      "The «plan» a «bold» «plan», with «code»",
    )
    expect(shown("…see [the «page»](https://example.org/) and *«this»*.")).toBe("…see the «page» and «this».")
  })

  it("[CPT-8] a word with a Markdown mark inside is highlighted whole; one inside a URL is removed with it", () => {
    expect(shown("the «nee**dle»** here")).toBe("the «needle» here")
    expect(shown("[docs](https://«needle».example) and «needle»")).toBe("docs and «needle»")
  })

  it("[CPT-8] for any input, highlights are in order, within the text, around letters that were highlighted", () => {
    const piece = fc.constantFrom("**", "*", "`", "# ", "- ", "[", "](x)", " ", "\n", "…", "plan", "ä", "👋")
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.nat(60), fc.nat(8), (pieces, start, length) => {
        const text = pieces.join("")
        const marks: [number, number][] = start + length <= text.length && length > 0 ? [[start, start + length]] : []
        const plain = plainSnippet({ text, marks })
        for (const [from, to] of plain.marks) {
          expect(to).toBeGreaterThan(from)
          expect(to).toBeLessThanOrEqual(plain.text.length)
          const was = text.slice(start, start + length).replace(/\s/g, " ")
          expect([...was]).toEqual(expect.arrayContaining([...plain.text.slice(from, to)]))
        }
        expect(plain.text).toBe(plainWords(text))
      }),
    )
  })
})
