import { describe, expect, it } from "vitest"
import { linesFrom } from "./lines.ts"

const text = "one\ntwo\nthree\nfour\n"

describe("lines of a text", () => {
  it("are numbered from one, and the end is inclusive", () => {
    expect(linesFrom(text)).toEqual({ lines: 4, from: 1, to: 4, content: "one\ntwo\nthree\nfour" })
    expect(linesFrom(text, 2, 3)).toEqual({ lines: 4, from: 2, to: 3, content: "two\nthree" })
    expect(linesFrom(text, 4, 9)).toEqual({ lines: 4, from: 4, to: 4, content: "four" })
    expect(linesFrom(text, 9)).toEqual({ lines: 4, from: 4, to: 4, content: "four" })
    expect(linesFrom(text, 3, 1)).toEqual({ lines: 4, from: 3, to: 3, content: "three" })
    expect(linesFrom("")).toEqual({ lines: 1, from: 1, to: 1, content: "" })
  })

  it("are limited to what a model is shown at once, with the line to continue from", () => {
    const long = Array.from({ length: 1_000 }, (_, index) => `${index} ${"x".repeat(95)}`).join("\n")
    const first = linesFrom(long)
    expect(first.content.length).toBeLessThanOrEqual(32 * 1024)
    expect(first.next).toBe(first.to + 1)
    let seen = first.content
    for (let part = first; part.next !== undefined; ) {
      part = linesFrom(long, part.next)
      seen += `\n${part.content}`
    }
    expect(seen).toBe(long)
    expect(first.cut).toBeUndefined()
    const one = linesFrom("x".repeat(100_000))
    expect(one).toMatchObject({ lines: 1, to: 1, cut: true })
    expect(one.content).toHaveLength(32 * 1024)
  })
})
