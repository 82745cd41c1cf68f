import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { RetriedText } from "./retried-text.ts"

const attempt = (text: RetriedText, pieces: readonly string[]) => pieces.map((piece) => text.next(piece)).join("")

describe("text of attempts for a client that cannot take any back", () => {
  it("[API-4] a second attempt continues what the first showed, and the third too", () => {
    const text = new RetriedText()
    text.startStep()
    expect(attempt(text, ["Half", " way"])).toBe("Half way")
    text.reset()
    expect(attempt(text, ["Hal", "f"])).toBe("")
    text.reset()
    expect(attempt(text, ["Half wa", "y there", "."])).toBe(" there.")
  })

  it("[API-4] one that says something else is shown from where it differs", () => {
    const text = new RetriedText()
    attempt(text, ["I think so"])
    text.reset()
    expect(attempt(text, ["I th", "ought not"])).toBe("ought not")
  })

  it("[API-4] nothing is left out and nothing is said twice, wherever the pieces are cut", () => {
    const pieces = fc.array(fc.string({ unit: fc.constantFrom("a", "b", " "), maxLength: 4 }), { maxLength: 8 })
    fc.assert(
      fc.property(pieces, pieces, (first, second) => {
        const text = new RetriedText()
        const shown = attempt(text, first)
        text.reset()
        const more = attempt(text, second)
        const said = second.join("")
        // What is shown in the end contains the second attempt, and nothing more than what the two said.
        if (said.startsWith(shown)) expect(shown + more).toBe(said)
        else expect(shown.startsWith(said) ? "" : said.endsWith(more) ? more : "?").toBe(more)
      }),
    )
  })
})
