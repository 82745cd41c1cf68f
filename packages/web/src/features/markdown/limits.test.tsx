import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { formatted, MAX_DEPTH, MAX_MESSAGE_CHARS, MAX_MESSAGE_MARKS, MAX_PARAGRAPH_MARKS, marksIn } from "./limits.ts"
import { Markdown } from "./Markdown.tsx"
import { piecesOf } from "./pieces.ts"
import { nested } from "./testing/nested.ts"

const MEGABYTE = 1_000_000
/** Generous for slow CI: on a quiet machine the slowest takes about a second. Without limits some take minutes. */
const LONGEST_MS = 20_000

const html = (text: string, streaming = false) => renderToStaticMarkup(<Markdown text={text} streaming={streaming} />)
const NOTE = "shown as plain text"

describe("[SEC-35] markdown is rendered within limits", () => {
  it.each(Object.entries(nested))("%s: 6 KB and 1 MB", { timeout: 60_000 }, (_, make) => {
    for (const [chars, streaming] of [
      [6_000, true],
      [MEGABYTE, false],
    ] as const) {
      const started = performance.now()
      expect(html(make(chars), streaming).length).toBeGreaterThan(0)
      expect(performance.now() - started).toBeLessThan(LONGEST_MS)
    }
  })

  it("measuring a text takes time in proportion to its length", () => {
    for (const [name, make] of Object.entries(nested)) {
      const text = make(MEGABYTE)
      const started = performance.now()
      formatted(piecesOf(text), () => false)
      expect(performance.now() - started, name).toBeLessThan(2_000)
    }
  })

  it("what is over a limit is shown as it was written, and the rest of the message is formatted", () => {
    const deep = `${"> ".repeat(MAX_DEPTH + 1)}deep`
    const words = "A sentence that is long enough to stand alone. ".repeat(15)
    const drawn = html(`**bold** ${words}\n\nNext ${deep}\n${deep}\n\n${words}\n\nThe *end*.`)
    expect(drawn).toContain("<strong>bold</strong>")
    expect(drawn).toContain("&gt; &gt; deep")
    expect(drawn).toContain("<em>end</em>")
    expect(drawn).toContain(NOTE)
  })

  it("what people and models really write is formatted", () => {
    const row = (index: number) => `| \`item ${index}\` | **${index}** | [link](https://example.com/${index}) | yes |\n`
    const table = `| name | count | where | is it |\n|:--|--:|:-:|---|\n${Array.from({ length: 300 }, (_, i) => row(i)).join("")}`
    const list = "- **Bold**: `code` and [a link](https://example.com), then some words about it.\n".repeat(300)
    const steps = Array.from({ length: 60 }, (_, i) => `${i + 1}. Do \`this\`\n   - then *that*\n     > quoted\n`).join(
      "",
    )
    const prose = `${"Some *words* and `code` in a paragraph of usual length. ".repeat(20)}\n\n`.repeat(20)
    for (const text of [table, list, steps, prose]) expect(html(text), text.slice(0, 40)).not.toContain(NOTE)
  })

  it("each limit holds alone", () => {
    expect(marksIn(`${"- ".repeat(MAX_DEPTH)}x`)).toBeDefined()
    expect(marksIn(`${"- ".repeat(MAX_DEPTH + 1)}x`)).toBeUndefined()
    expect(marksIn("*a* ".repeat(MAX_PARAGRAPH_MARKS / 2))).toBeDefined()
    expect(marksIn("*a* ".repeat(MAX_PARAGRAPH_MARKS / 2 + 1))).toBeUndefined()
    expect(marksIn(`a <?${"b".repeat(500_000)}`)).toBeUndefined()
    const marked = (count: number) => piecesOf(`${"*a* ".repeat(200)}\n\nNext\n\n`.repeat(count))
    expect(formatted(marked(3), () => false).every(Boolean)).toBe(true)
    expect(formatted(marked(MAX_MESSAGE_MARKS / 400 + 1), () => false).at(-1)).toBe(false)
    const long = piecesOf(`Words, and *more*, ${"a".repeat(MAX_MESSAGE_CHARS / 2)}\n\n`.repeat(2))
    expect(formatted(long, () => false)).toEqual([true, false])
  })

  it("code and plain paragraphs are shown as such at any length", () => {
    const code = `\`\`\`\n${"let a = '*'\n".repeat(20_000)}\`\`\`\n`
    const plain = `${"Plain words. ".repeat(100)}\n\n`.repeat(200)
    expect(html(`${code}${plain}**end**`)).not.toContain(NOTE)
  })
})
