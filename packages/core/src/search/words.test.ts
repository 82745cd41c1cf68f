import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { indexedText, parseQuery, queryWords } from "./words.ts"

const wordsOf = (text: string) => indexedText(text).line.split(" ")

describe("words of a text", () => {
  it("[CPT-7] are letters and digits, each once with its count, whatever separates them", () => {
    expect(indexedText('Deploy the plan; "the PLAN" (v2.1) of_the-team')).toEqual({
      line: "deploy the:3 plan:2 v2 1 of team",
      length: 10,
    })
    expect(indexedText("")).toEqual({ line: "", length: 0 })
    expect(indexedText(" … — ?! \u0000 \ud800")).toEqual({ line: "", length: 0 })
  })

  it("[CPT-7] have no case, accents, width or invisible characters", () => {
    expect(wordsOf("Crème BRÛLÉE")).toEqual(["creme", "brulee"])
    expect(wordsOf("ＦＵＬＬ ﬁne co\u00adop")).toEqual(["full", "fine", "coop"])
    expect(wordsOf("Straße STRASSE Ægir İstanbul ΟΔΥΣΣΕΎΣ ёж")).toEqual([
      "strasse:2",
      "aegir",
      "istanbul",
      "οδυσσευσ",
      "еж",
    ])
  })

  it("[CPT-7] keep the vowel signs of scripts that write them as marks", () => {
    expect(wordsOf("हिन्दी हन्द")).toEqual(["हिन्दी", "हन्द"])
  })

  it("[CPT-7] of scripts without spaces are characters and pairs, separate from the words among them", () => {
    expect(wordsOf("東京都")).toEqual(["東京", "京都", "東", "京", "都"])
    expect(wordsOf("GPT4は")).toEqual(["gpt4", "は"])
    expect(wordsOf("デプロイ").slice(0, 3)).toEqual(["デプ", "プロ", "ロイ"])
    expect(indexedText("東京都 tower").length).toBe(4)
  })

  it("[CPT-7] a pictograph is a word", () => {
    expect(wordsOf("done🎉🎉!")).toEqual(["done", "🎉:2"])
  })

  it("[CPT-7] are limited, and never cut inside a character", () => {
    const long = indexedText("x".repeat(1_000_000))
    expect(long.line).toBe("x".repeat(64))
    expect(indexedText(`${"x".repeat(63)}𝓐𐐀${"z".repeat(9)}`).line.isWellFormed()).toBe(true)
    const many = indexedText(Array.from({ length: 60_000 }, (_, i) => i.toString(36)).join(" "))
    expect(many.line.split(" ").length).toBeLessThanOrEqual(20_000)
  })
})

describe("words of a query", () => {
  it("[CPT-7] are the same words; the last one may be a prefix", () => {
    expect(parseQuery("Deploy Plán")).toEqual([
      { word: "deploy", prefix: false },
      { word: "plan", prefix: true },
    ])
    expect(parseQuery("plan to")).toEqual([
      { word: "plan", prefix: false },
      { word: "to", prefix: false },
    ])
    expect(parseQuery("plan plan")).toEqual([{ word: "plan", prefix: true }])
    expect(queryWords("東京都 京")).toEqual(["東京", "京都", "京"])
    expect(parseQuery('" * : ( ) - …')).toEqual([])
  })

  it("[CPT-7] are bounded", () => {
    const typed = Array.from({ length: 500 }, (_, i) => `w${i}`).join(" ")
    expect(parseQuery(typed)).toHaveLength(16)
    expect(parseQuery("y".repeat(100_000))).toEqual([{ word: "y".repeat(64), prefix: true }])
  })

  it("[CPT-7] any part of a text without spaces finds it", () => {
    const han = fc.array(fc.integer({ min: 0x4e00, max: 0x4e40 }), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(han, fc.nat(), fc.nat(), (codes, from, length) => {
        const start = from % codes.length
        const part = codes.slice(start, start + 1 + (length % 10))
        const words = new Set(wordsOf(String.fromCodePoint(...codes)).map((word) => word.split(":")[0]))
        for (const { word } of parseQuery(String.fromCodePoint(...part))) expect(words.has(word)).toBe(true)
      }),
    )
  })

  it("[CPT-7] of any text are letters, digits and pictographs, found by themselves", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        for (const word of queryWords(text)) {
          expect(word).toMatch(/^(?:[\p{L}\p{N}\p{M}]+|\p{Extended_Pictographic})$/u)
          expect(queryWords(word)).toContain(word)
        }
        const { line, length } = indexedText(text)
        expect(line === "").toBe(length === 0)
        const indexed = new Set(line.split(" ").map((word) => word.split(":")[0]))
        for (const word of queryWords(text)) expect(indexed.has(word)).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })
})
