import type { Chip } from "@parlor/client"
import { type AttachmentNode, type ComposerInput, type ComposerNode, spanDefect } from "@parlor/protocol"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  attachedTo,
  type ChipContent,
  type DocContent,
  docOf,
  inputOf,
  isBlank,
  joined,
  NOTHING,
  positionIn,
  recognized,
  retyped,
  type TextContent,
  withAttached,
} from "./doc.ts"

const known = { commands: ["deploy"], agents: ["host", "critic"] }
const hash = (digit: string) => digit.repeat(64)
const along = (digit: string, name = "a.png"): AttachmentNode => ({
  kind: "attachment",
  hash: hash(digit),
  name,
  start: 0,
  end: 0,
  raw: "",
})
const text = (said: string): TextContent => ({ type: "text", text: said })
const chip = (said: Chip): ChipContent => ({ type: "chip", attrs: { chip: said } })
const critic = { kind: "mention", name: "critic" } as const
const doc = (...lines: readonly (readonly (TextContent | ChipContent)[])[]): DocContent => ({
  type: "doc",
  content: lines.map((content) => ({ type: "paragraph", ...(content.length > 0 && { content }) })),
})

/** Text as people write it, with what is hard: astral characters, marks that join, punctuation, odd spaces. */
const words = fc
  .string({
    unit: fc.constantFrom("a", "Z", " ", ",", "(", "/", "@", "#", "é", "🦀", "👩‍🚀", "\u0301", "\t", "%"),
    maxLength: 8,
  })
  .filter((said) => said.length > 0)
const path = fc.stringMatching(/^[a-z ]{1,4}(\/[a-zß🦀%:]{1,4}){0,2}\.ts$/u)
const anyChip: fc.Arbitrary<Chip> = fc.oneof(
  fc.constantFrom<Chip>(critic, { kind: "slash_command", name: "deploy" }, { kind: "branch", name: "try two" }),
  path.map((at): Chip => ({ kind: "file", path: at })),
  path.map((at): Chip => ({ kind: "file", path: at, lines: { from: 3, to: 9 } })),
  fc.constantFrom("x", "größe").map((name): Chip => ({ kind: "symbol", name })),
  fc.constant<Chip>({ kind: "attachment", hash: hash("c") }),
)
const line = fc.array(fc.oneof(words.map(text), anyChip.map(chip)), { maxLength: 5 })
const anyDoc = fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => doc(...lines.map(withJoinedText)))
const anyAttached = fc.subarray([along("a"), along("b")])

function withJoinedText(content: readonly (TextContent | ChipContent)[]): readonly (TextContent | ChipContent)[] {
  const result: (TextContent | ChipContent)[] = []
  for (const piece of content) {
    const last = result.at(-1)
    if (piece.type === "text" && last?.type === "text") result[result.length - 1] = text(last.text + piece.text)
    else result.push(piece)
  }
  return result
}

/** Where its chips are apart from their neighbors, as they are once it was printed. */
const settled = (given: DocContent): DocContent => docOf(inputOf(given))

describe("the box and what is sent", () => {
  it("[CMP-2, CMP-5] any document comes back from its input as it was, chips and all", () => {
    fc.assert(
      fc.property(anyDoc, anyAttached, (given, attached) => {
        const start = settled(given)
        const input = inputOf(start, attached)
        expect(docOf(input)).toEqual(start)
        expect(inputOf(docOf(input), attachedTo(input))).toEqual(input)
      }),
      { numRuns: 400 },
    )
  })

  it("[CMP-3] printing a document loses no chip and no word", () => {
    fc.assert(
      fc.property(anyDoc, (given) => {
        const chips = (one: DocContent) =>
          one.content.flatMap(({ content = [] }) =>
            content.flatMap((piece) => (piece.type === "chip" ? [piece.attrs.chip] : [])),
          )
        const said = (one: DocContent) =>
          one.content.map(({ content = [] }) =>
            content.map((piece) => (piece.type === "text" ? piece.text : "")).join(""),
          )
        const after = settled(given)
        expect(chips(after)).toEqual(chips(given))
        expect(said(after).map((lines) => lines.replaceAll(" ", ""))).toEqual(
          said(given).map((lines) => lines.replaceAll(" ", "")),
        )
      }),
    )
  })

  it("[CMP-4] whatever is in the box, the nodes that are sent fit its text, to the code unit", () => {
    fc.assert(
      fc.property(anyDoc, anyAttached, (given, attached) => {
        const sent = recognized(inputOf(given, attached), known)
        expect(spanDefect(sent)).toBeUndefined()
        const inText = (inputOf(given).nodes ?? []).map(({ start, raw }) => [start, raw])
        const found = (sent.nodes ?? []).map(({ start, raw }) => [start, raw])
        expect(found).toEqual(expect.arrayContaining(inText))
        expect(attachedTo(sent)).toHaveLength(attached.length)
      }),
      { numRuns: 400 },
    )
    const input = inputOf(doc([text("👩‍🚀🦀 "), chip(critic)]))
    expect(input).toEqual({ source: "👩‍🚀🦀 @critic", nodes: [{ ...critic, start: 8, end: 15, raw: "@critic" }] })
  })

  it("[CMP-5] what was pasted as text is recognized, and a chip is never taken for something else", () => {
    const input = inputOf(doc([text("@host and "), chip({ kind: "file", path: "critic" }), text(" and /tmp")]))
    expect(recognized(input, known).nodes?.map(({ kind, raw }) => [kind, raw])).toEqual([
      ["mention", "@host"],
      ["file", "@file:critic"],
    ])
  })

  it("[CMP-15] what goes along has no place in the text and stays behind it, however the text grows", () => {
    const input = withAttached({ source: "look" }, [along("a")])
    expect(input.nodes).toEqual([{ ...along("a"), start: 4, end: 4 }])
    expect(docOf(input)).toEqual(doc([text("look")]))
    expect(attachedTo(retyped(input, "look here"))).toEqual([{ ...along("a"), start: 9, end: 9 }])
    expect(isBlank(withAttached(NOTHING, [along("a")]))).toBe(false)
    expect(isBlank({ source: " \n" })).toBe(true)
  })

  it("nodes that do not fit their text are dropped, and the text stays", () => {
    expect(docOf({ source: "@critic", nodes: [{ ...critic, start: 1, end: 7, raw: "@critic" }] })).toEqual(
      doc([text("@critic")]),
    )
  })

  it("a kind nobody knows stays what it was", () => {
    const odd = { kind: "ticket", id: 7, start: 4, end: 8, raw: "T-7!" } as unknown as ComposerNode
    const input: ComposerInput = { source: "see T-7! now", nodes: [odd] }
    expect(inputOf(docOf(input))).toEqual(input)
  })
})

describe("a plain box in place of the editor", () => {
  const input = inputOf(doc([text("ask "), chip(critic), text(" about "), chip({ kind: "file", path: "a.ts" })]))

  it("keeps the chips that were not typed into", () => {
    const raws = (source: string) => (retyped(input, source).nodes ?? []).map(({ raw }) => raw)
    expect(raws("please ask @critic about @a.ts")).toEqual(["@critic", "@a.ts"])
    expect(raws("ask @critic about it: @a.ts")).toEqual(["@critic", "@a.ts"])
    expect(raws("ask @crit about @a.ts")).toEqual(["@a.ts"])
    expect(raws("")).toEqual([])
  })

  it("[CMP-4] whatever is typed, what is kept fits", () => {
    fc.assert(
      fc.property(anyDoc, fc.nat(30), fc.nat(6), words, (given, at, length, typed) => {
        const before = inputOf(given)
        const source = before.source.slice(0, at) + typed + before.source.slice(at + length)
        const defect = spanDefect(retyped(before, source))
        // A plain box cannot be cut inside of a character; a random place can.
        if (source.isWellFormed() && before.source.isWellFormed()) expect(defect).toBeUndefined()
      }),
    )
  })

  it("hands over the caret: text counts by code unit, a chip is one", () => {
    expect(positionIn(input, 0)).toBe(1)
    expect(positionIn(input, 4)).toBe(5)
    expect(positionIn(input, "ask @critic".length)).toBe(6)
    expect(positionIn({ source: "ab\n🦀d" }, 5)).toBe(7)
    expect(positionIn({ source: "ab" }, 99)).toBe(3)
  })
})

describe("two inputs as one", () => {
  it("[TAB-10] both keep their words, their chips and what goes along", () => {
    const first = withAttached(inputOf(doc([chip(critic)])), [along("a")])
    const second = withAttached(inputOf(doc([text("and "), chip(critic)])), [along("a"), along("b")])
    const both = joined(first, second)
    expect(both.source).toBe("@critic\nand @critic")
    expect(spanDefect(both)).toBeUndefined()
    expect(both.nodes?.map(({ start }) => start)).toEqual([0, 12, 19, 19])
    expect(joined(first, NOTHING)).toEqual(first)
    expect(joined(NOTHING, second)).toEqual(second)
  })
})
