import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { snippetOf } from "./snippet.ts"

describe("a snippet", () => {
  it("[CPT-7] shows the words in context, ignoring case and accents", () => {
    const long = `${"nothing here. ".repeat(30)}We agreed that the Café opens at nine.${" and more".repeat(60)}`
    const { text, marks } = snippetOf(long, ["cafe"])
    expect(text.length).toBeLessThan(210)
    expect(text.startsWith("…") && text.endsWith("…")).toBe(true)
    expect(marks.map(([start, end]) => text.slice(start, end))).toEqual(["Café"])
  })

  it("[CPT-8] is as written, line by line, so that Markdown syntax can be distinguished from lookalikes", () => {
    const { text, marks } = snippetOf("# Plan\r\n\n- **first**\tthing", ["first"])
    expect(text).toBe("# Plan \n\n- **first** thing")
    expect(marks.map(([start, end]) => text.slice(start, end))).toEqual(["first"])
  })

  it("[CPT-7] finds text written without spaces", () => {
    const { text, marks } = snippetOf("我们昨天讨论了部署计划和预算", ["部署"])
    expect(marks.map(([start, end]) => text.slice(start, end))).toEqual(["部署"])
  })

  it("[CPT-7] is found deep in a long text, and across the chunks it is searched in", () => {
    for (const before of [4_090, 4_100, 8_189, 150_000]) {
      const { text, marks } = snippetOf(`${"x ".repeat(before / 2)}Zebra${" y".repeat(5_000)}`, ["zebra"])
      expect(marks.map(([start, end]) => text.slice(start, end))).toEqual(["Zebra"])
    }
    const { text, marks } = snippetOf(`${"é ".repeat(6_000)}Zébra`, ["zebra"])
    expect(marks.map(([start, end]) => text.slice(start, end))).toEqual(["Zébra"])
  })

  it("[CPT-7] is limited in length and well-formed for any text and any words", () => {
    const text = fc.string({ unit: "binary", maxLength: 600 })
    fc.assert(
      fc.property(text, fc.array(fc.string({ unit: "binary", maxLength: 5 }), { maxLength: 4 }), (body, words) => {
        const snippet = snippetOf(body.toWellFormed(), words)
        expect(snippet.text.length).toBeLessThanOrEqual(204)
        expect(snippet.text.isWellFormed()).toBe(true)
        let last = 0
        for (const [start, end] of snippet.marks) {
          expect(start).toBeGreaterThanOrEqual(last)
          expect(end).toBeGreaterThan(start)
          expect(end).toBeLessThanOrEqual(snippet.text.length)
          last = end
        }
      }),
    )
  })
})
