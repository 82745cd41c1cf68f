import type { MessageId, Part } from "@parlor/protocol"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { countWords, findIn, MAX_HITS, placeOf, stepFrom, stretchesIn, wordsOf } from "./find.ts"
import { wantedFrom } from "./wanted.ts"

const said = (id: string, ...texts: readonly string[]) => ({
  id: id as MessageId,
  parts: texts.map((text): Part => ({ type: "text", text })),
})

const words = (text: string) => wordsOf({ type: "text", text }).seen
const at = (message: string, nth: number, index = 0) => ({ message, index, part: 0, nth, isFolded: false })

describe("finding in a conversation", () => {
  it("finds every place, in order", () => {
    const messages = [said("a", "Red and red"), said("b", "blue"), said("c", "", "RED")]
    expect(findIn(messages, "red")).toEqual([
      { message: "a", index: 0, part: 0, nth: 0, isFolded: false },
      { message: "a", index: 0, part: 0, nth: 1, isFolded: false },
      { message: "c", index: 2, part: 1, nth: 0, isFolded: false },
    ])
    expect(findIn(messages, "  ")).toEqual([])
    expect(findIn(messages, "green")).toEqual([])
  })

  it("capitals and accents do not matter, in what is looked for and in what is there", () => {
    expect(findIn([said("a", "Köln, café")], "KOLN")).toHaveLength(1)
    expect(findIn([said("a", "cafe")], "café")).toHaveLength(1)
    expect(stretchesIn("Ein café, ein Café", "cafe")).toEqual([
      [4, 8],
      [14, 18],
    ])
  })

  it("a place is where it stands in the text, whatever letters are before it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (before, after) => {
        const text = `${before.replaceAll(/[nN]/g, "")}needle${after.replaceAll(/[nN]/g, "")}`
        const found = stretchesIn(text, "NEEDLE").map(([start, end]) => text.slice(start, end))
        expect(found).toContain("needle")
      }),
    )
  })

  it("marks of markdown are not part of what is said", () => {
    const seen = words("## A **bold** word, a [link](https://x.example) and `code`\n- one\n1. two")
    expect(seen).toBe("A bold word, a link and code\none\ntwo")
    expect(words("2 * 3 and snake_case_name")).toBe("2 * 3 and snake_case_name")
    expect(findIn([said("a", "**bo**ld")], "bold")).toHaveLength(1)
  })

  it("[TAB-34] looks in notices, names, and in what is folded: reasoning, and what a tool was given and gave", () => {
    const tool = { type: "tool", call: "c", name: "find_needle", state: "done", error: null } as const
    const parts: Part[] = [
      { type: "reasoning", text: "A needle, or **needle**?" },
      { ...tool, input: { for: "needle" }, output: "The needle\nis a NEEDLE." },
      { type: "notice", code: "x", text: "needle" },
      { type: "attachment", hash: "h", name: "needle.png", mediaType: "image/png", bytes: 1 },
    ]
    const hits = findIn([said("z", "hay"), { id: "a" as MessageId, parts }], "needle")
    expect(hits.map(({ part, nth, isFolded }) => `${part}.${nth}${isFolded ? " folded" : ""}`)).toEqual([
      ...["0.0 folded", "0.1 folded"],
      ...["1.0", "1.1 folded", "1.2 folded", "1.3 folded"],
      ...["2.0", "3.0"],
    ])
    expect(hits.every(({ message, index }) => message === "a" && index === 1)).toBe(true)
  })

  it("words of one part do not go on in the next", () => {
    expect(findIn([said("a", "nee", "dle")], "needle")).toEqual([])
  })

  it("goes from one to the next, round and round, beginning with the newest", () => {
    const hits = findIn([said("a", "x x"), said("b", "x")], "x")
    const last = stepFrom(hits, undefined, -1)
    expect(last).toEqual(hits[2])
    expect(stepFrom(hits, last, 1)).toEqual(hits[0])
    expect(stepFrom(hits, hits[0], -1)).toEqual(hits[2])
    expect(stepFrom(hits, at("gone", 0), 1)).toEqual(hits[2])
    expect(stepFrom([], undefined, 1)).toBeUndefined()
  })

  it("stays at its hit while older messages come in before it", () => {
    const now = findIn([said("b", "x")], "x")[0]
    const after = findIn([said("a", "x x"), said("b", "x")], "x")
    expect(placeOf(after, now)).toBe(2)
    expect(countWords(after, now)).toBe("3 of 3")
    expect(countWords(after, undefined)).toBe("3 found")
    expect(countWords([], undefined)).toBe("No matches")
  })

  it("has a bound", () => {
    const hits = findIn([said("a", "x".repeat(MAX_HITS + 5))], "x")
    expect(hits).toHaveLength(MAX_HITS)
    expect(countWords(hits, hits[0])).toBe("1 of 10,000+")
  })

  it("begins with what was selected, when that is a few words", () => {
    expect(wantedFrom("  a few words ")).toBe("a few words")
    expect(wantedFrom("two\nlines")).toBe("")
    expect(wantedFrom("x".repeat(81))).toBe("")
  })

  it("as many are found in plain words as are marked in them", () => {
    const texts = fc
      .array(fc.constantFrom("ab", "Ab", "äB", "b", " ", "a"), { maxLength: 30 })
      .map((all) => all.join(""))
    fc.assert(
      fc.property(texts, fc.constantFrom("ab", "a", "b a", "aba"), (text, query) => {
        const marked = stretchesIn(text, query)
        expect(findIn([said("a", text)], query)).toHaveLength(marked.length)
        for (const [start, end] of marked)
          expect(text.slice(start, end).normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()).toBe(query)
      }),
    )
  })

  it("[TAB-7] a message that was looked through is not read again until it changes", () => {
    let reads = 0
    const parts: Part[] = [{ type: "text", text: "needle" }]
    const watched = new Proxy(parts, {
      get(target, name, receiver) {
        if (name === "map") reads += 1
        return Reflect.get(target, name, receiver)
      },
    })
    const message = { id: "a" as MessageId, parts: watched }
    for (const query of ["n", "ne", "nee"]) expect(findIn([message], query)).not.toEqual([])
    expect(reads).toBe(1)
  })

  it("places do not lie within one another, and blanks around what is looked for do not count", () => {
    expect(stretchesIn("aaaa", "aa")).toEqual([
      [0, 2],
      [2, 4],
    ])
    expect(stretchesIn("a b", "  b ")).toEqual([[2, 3]])
    expect(stretchesIn("anything", " ")).toEqual([])
  })

  it("letters that are two are found as one, where they stand", () => {
    const text = "x🦀é y"
    expect(stretchesIn(text, "🦀").map(([start, end]) => text.slice(start, end))).toEqual(["🦀"])
    expect(stretchesIn(text, "e y").map(([start, end]) => text.slice(start, end))).toEqual(["é y"])
    expect(stretchesIn("İx", "x")).toEqual([[1, 2]])
  })

  it("what is said is what is seen: fences, quotes, pictures and references lose their marks", () => {
    expect(words("```ts\nlet a_b = 1\n```").trim()).toBe("let a_b = 1")
    expect(words("> said ~~gone~~ ![a cat](https://x.example/c.png) [b][ref]")).toBe("said gone a cat b")
    expect(findIn([said("a", "[docs](https://needle.example)")], "needle")).toEqual([])
  })

  it("a place that is gone counts as none", () => {
    const hits = findIn([said("a", "x x")], "x")
    expect(placeOf(hits, at("a", 2))).toBe(-1)
    expect(placeOf(hits, at("a", 1, 9))).toBe(1)
    expect(countWords(hits, at("b", 0))).toBe("2 found")
  })
})
