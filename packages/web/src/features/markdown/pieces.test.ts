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

describe("where a text is cut", () => {
  const almost = "Some words. ".repeat(46).trim()
  const line = fc.constantFrom(
    almost,
    long,
    "",
    "Next one.",
    "- item",
    "| a | b |",
    "$$",
    "# Head",
    "1. one",
    "> said",
    "  in",
  )
  const lines = fc.array(line, { maxLength: 40 }).map((all) => all.join("\n"))

  it("pieces of prose put together are the text", () => {
    fc.assert(
      fc.property(lines, (text) => {
        const together = piecesOf(text).map((piece) => piece.text)
        expect(together.join("")).toBe(text.trim() === "" ? "" : text)
      }),
    )
  })

  it("a text that is a little too short for that stays whole", () => {
    expect(almost.length).toBeLessThan(600)
    expect(kinds(`${almost}\n\nNext one.`)).toHaveLength(1)
    expect(kinds(`${almost}\n\nNext one. ${almost}\n\nLast.`)).toHaveLength(2)
  })

  it("a piece but for the last is long, ends with an empty line, and the next begins something new", () => {
    fc.assert(
      fc.property(lines, (text) => {
        const texts = piecesOf(text).map((piece) => piece.text)
        for (const [index, next] of texts.slice(1).entries()) {
          expect(texts[index]?.length).toBeGreaterThanOrEqual(600)
          expect(texts[index]).toMatch(/\n\n$/)
          expect(next).toMatch(/^(?:A sentence|Some words|Next one|# Head)/)
        }
      }),
    )
  })

  it("begins anew in every script, at quotes and at questions, and not at a number", () => {
    for (const next of ["Это", "日本語", "“So", "¿Qué", "(an aside)", "#### Four"])
      expect(kinds(`${long}\n\n${next}`), next).toHaveLength(2)
    for (const next of ["2024 was", "#tag", "**bold**", "\\[x\\]"])
      expect(kinds(`${long}\n\n${next}`), next).toHaveLength(1)
  })

  it("a fence closes only with marks of its own kind, as many and alone", () => {
    const code = (text: string) => piecesOf(text)[0]
    expect(code("````\n```\nx\n````")).toMatchObject({ text: "```\nx" })
    expect(code("```\n~~~\n```")).toMatchObject({ text: "~~~" })
    expect(code("```\nx\n``` not yet\ny\n   `````  ")).toMatchObject({ text: "x\n``` not yet\ny" })
    expect(kinds("```\nx\n```\n```\ny\n```")).toEqual(["code", "code"])
    expect(kinds("``\nx\n``")).toEqual(["prose"])
  })

  it("a fence in a formula is part of it, and nothing is no piece", () => {
    expect(kinds("$$\n```\nx\n$$")).toEqual(["prose"])
    expect(kinds("$$x$$\n```\ny\n```")).toEqual(["prose", "code"])
    for (const blank of ["", "\n", " \n\n "]) expect(piecesOf(blank)).toEqual([])
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
