import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { score } from "./score.ts"

const best = (typed: string, ...words: readonly string[]) =>
  [...words].sort((a, b) => (score(typed, b) ?? -1_000) - (score(typed, a) ?? -1_000))[0]

describe("what is typed", () => {
  it("fits when its letters are there in order", () => {
    expect(score("nch", "New chat")).toBeDefined()
    expect(score("tno", "New chat")).toBeUndefined()
    expect(score("x", "")).toBeUndefined()
    expect(score("", "anything")).toBe(0)
    expect(score("  ", "anything")).toBe(0)
  })

  it("fits best at the beginning, then at the beginnings of words, then together", () => {
    expect(best("mem", "Remember", "Memory", "My empty room")).toBe("Memory")
    expect(best("nt", "Intend", "New chat", "Ant")).toBe("New chat")
    expect(best("pin", "Spring", "Pin or unpin this tab", "A pine")).toBe("Pin or unpin this tab")
    expect(best("host", "host", "host of a long conversation about hosts")).toBe("host")
  })

  it("finds the best place, not the first", () => {
    expect(score("topic", "Stop the topic") ?? 0).toBeGreaterThan(score("topic", "Stop the xtopic") ?? 0)
  })

  it("in several words has to fit with each, in any order", () => {
    expect(score("chat new", "New chat")).toBeDefined()
    expect(score("topic old", "New chat")).toBeUndefined()
  })

  it("does not mind capitals and accents", () => {
    expect(score("GROSSE", "große")).toBeUndefined()
    expect(score("uber", "Über")).toBe(score("über", "uber"))
  })

  it("fits itself and each of its beginnings, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 60 }), fc.nat(), (words, length) => {
        const typed = words.slice(0, 1 + (length % words.length))
        expect(score(typed, words)).toBeDefined()
      }),
    )
  })

  it("is reckoned quickly, also against the worst of texts", () => {
    const began = performance.now()
    for (let round = 0; round < 200; round++) score("aaaaaaaaab", "a".repeat(5_000))
    expect(performance.now() - began).toBeLessThan(1_000)
  })
})
