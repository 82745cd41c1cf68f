import { describe, expect, it } from "vitest"
import { findTexts, hasWord, type IndexEntry, indexedText, type WordIndex } from "./find.ts"

const NOW = 1_700_000_000_000

describe("a search", () => {
  it("[CPT-7] a common word does not crowd out the texts of a rare one", async () => {
    const texts = [...Array.from({ length: 1_000 }, (_, i) => `common ${i}`), "rare"]
    // The rare one is the oldest.
    const found = await findTexts(indexOf(texts.reverse()), "common rare never", { limit: 5, now: NOW })
    expect(found[0]?.line).toBe("rare")
    expect(found).toHaveLength(5)
  })

  it("[CPT-7] looks at a limited number of texts, the newest", async () => {
    const index = indexOf(Array.from({ length: 5_000 }, () => "word"))
    const asked: number[] = []
    const counting: WordIndex<IndexEntry> = {
      ...index,
      newest: async (words, limit) => {
        asked.push(limit)
        return index.newest(words, limit)
      },
    }
    const found = await findTexts(counting, "word", { limit: 3, now: NOW })
    expect(asked).toEqual([200])
    expect(found.map((entry) => entry.id)).toEqual([4_999, 4_998, 4_997])
  })

  it("[CPT-7] reads nothing for an empty query, and skips the all-words query when one word is not indexed", async () => {
    const never: WordIndex<IndexEntry> = {
      counts: async (words) => words.map(() => 0),
      newest: () => Promise.reject(new Error("asked")),
    }
    expect(await findTexts(never, " ?! ", { limit: 3, now: NOW })).toEqual([])
    expect(await findTexts(never, "one two", { limit: 3, now: NOW })).toEqual([])
  })

  it("[CPT-7] distinguishes whole words from prefixes and parts of other words", () => {
    const { line } = indexedText("plan plans planet airplane:3 plan")
    expect(hasWord(line, { word: "plan", prefix: false })).toBe(true)
    expect(hasWord(line, { word: "pla", prefix: false })).toBe(false)
    expect(hasWord(line, { word: "pla", prefix: true })).toBe(true)
    expect(hasWord(line, { word: "plane", prefix: false })).toBe(false)
    expect(hasWord(line, { word: "airplan", prefix: false })).toBe(false)
  })
})

function indexOf(texts: readonly string[]): WordIndex<IndexEntry> {
  const entries = texts.map((text, id) => ({ id, at: NOW, ...indexedText(text) })).reverse()
  return {
    counts: async (words) => words.map((word) => entries.filter(({ line }) => hasWord(line, word)).length),
    newest: async (words, limit) =>
      entries.filter(({ line }) => words.every((word) => hasWord(line, word))).slice(0, limit),
  }
}
