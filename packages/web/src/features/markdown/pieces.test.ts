import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { piecesOf, plainParagraphs } from "./pieces.ts"

const long = "A sentence of some length. ".repeat(30).trim()
const kinds = (text: string) => piecesOf(text).map((piece) => piece.kind)

describe("a text in pieces", () => {
  it("code stands by itself, with its language, closed or still being written", () => {
    expect(piecesOf("Look:\n```ts a\nlet a\n```\nDone.")).toEqual([
      { kind: "prose", text: "Look:\n" },
      { kind: "code", language: "ts", text: "let a" },
      { kind: "prose", text: "Done." },
    ])
    expect(piecesOf("```\nlet a\nlet")).toEqual([{ kind: "code", language: "text", text: "let a\nlet" }])
    expect(piecesOf("~~~~py\n~~~\nx\n~~~~")).toEqual([{ kind: "code", language: "py", text: "~~~\nx" }])
    expect(piecesOf("```\n\n\n```")).toEqual([{ kind: "code", language: "text", text: "\n" }])
    expect(piecesOf("```js")).toEqual([{ kind: "code", language: "js", text: "" }])
  })

  it("code in a list, within a line or of formulas is left to markdown", () => {
    expect(kinds("- a\n  ```\n  x\n  ```")).toEqual(["prose"])
    expect(kinds("``` a ``` b")).toEqual(["prose"])
    expect(kinds("```math\nx\n```")).toEqual(["prose"])
  })

  it("prose is cut before a paragraph or heading after an empty line, once it is long", () => {
    expect(piecesOf(`${long}\n\nNext.`).map(({ text }) => text)).toEqual([`${long}\n\n`, "Next."])
    expect(kinds(`${long}\n\n## Next`)).toHaveLength(2)
    expect(kinds("Short.\n\nNext.")).toHaveLength(1)
    expect(kinds(`${long}\nNext.`)).toHaveLength(1)
  })

  it("is not cut within a list, a table, a quote, a formula or before a number", () => {
    for (const next of ["- b", "  more", "| b |", "> b", "<b>", "1. b", "    code", "* * *"])
      expect(kinds(`- ${long}\n\n${next}`), next).toHaveLength(1)
    expect(kinds(`$$\n${long}\n\nstill inside\n$$`)).toHaveLength(1)
  })

  it("is whole when something is defined in it", () => {
    expect(kinds(`${long}\n\nSee [a] and\n\n\`\`\`\nx\n\`\`\`\n[a]: https://example.com`)).toHaveLength(1)
  })

  it("[TAB-7] a text that grows keeps its pieces: only the last one changes", () => {
    const lines = fc.array(
      fc.constantFrom(long, "", "Next one.", "- item", "```ts", "```", "let a = 1", "$$", "# Head", "1. one", "~~~"),
      { maxLength: 40 },
    )
    fc.assert(
      fc.property(lines, fc.nat(), (parts, place) => {
        const text = parts.join("\n")
        const cut = text.slice(0, place % (text.length + 1))
        const [before, after] = [piecesOf(cut), piecesOf(text)]
        const settled = before.slice(0, -1)
        expect(after.slice(0, settled.length)).toEqual(settled)
      }),
    )
  })

  it("nothing that was said is left out", () => {
    const words = fc.array(fc.constantFrom("a", "```", "\n", "\n\n", "$$", "~~~", "# ", "long ".repeat(200)))
    const letters = (text: string) => text.replace(/[^a-z]/g, "")
    fc.assert(
      fc.property(words, (parts) => {
        const text = parts.join("")
        const shown = piecesOf(text)
          .map((piece) => (piece.kind === "code" && piece.language !== "text" ? piece.language : "") + piece.text)
          .join("")
        // What follows the language on a fence's line is not shown.
        if (!/^(```|~~~)[^\n]*\s[^\n]/m.test(text)) expect(letters(shown)).toBe(letters(text))
      }),
    )
  })
})

describe("plain paragraphs", () => {
  it("need no parser", () => {
    expect(plainParagraphs("Hello, world.")).toEqual(["Hello, world."])
    expect(plainParagraphs("One.\n\nTwo,\nthree?")).toEqual(["One.", "Two,\nthree?"])
    expect(plainParagraphs("Grüße aus Köln – 20 % – „so“")).toBeDefined()
  })

  it("are told from everything that markdown means something by", () => {
    const marked = ["**b**", "a_b_", "- a", "1. a", "2) a", "+ a", "a\n---", "a\n===", "<b>", "[a](b)", "# a", "a | b"]
    const more = [
      "`a`",
      "~~a~~",
      "https://a.example",
      "www.a.example",
      "a@b.example",
      "    code",
      "a  \nb",
      "&amp;",
      "$x$",
    ]
    for (const text of [...marked, ...more, "\\*", "> a", "a\n- b", "=", "!a"])
      expect(plainParagraphs(text), text).toBeUndefined()
  })
})
