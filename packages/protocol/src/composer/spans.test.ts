/** [CMP-4] over arbitrary Unicode: matching input is accepted, any other is refused with the node that does not match. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { composerInput } from "../rows/message.ts"
import type { ComposerInput, ComposerNode } from "./node.ts"
import { spanDefect } from "./spans.ts"

const CASES = 100_000

/** The long example from the document that defines this format, as printed there: off by one from the fourth node on. */
const long: ComposerInput = {
  source: "/pr-review 123 in /worktree be sure to check @Branch see @Horton",
  nodes: [
    { kind: "slash_command", start: 0, end: 10, raw: "/pr-review", name: "pr-review" },
    { kind: "text", start: 10, end: 18, raw: " 123 in " },
    { kind: "slash_command", start: 18, end: 27, raw: "/worktree", name: "worktree" },
    { kind: "text", start: 27, end: 46, raw: " be sure to check " },
    { kind: "branch", start: 46, end: 53, raw: "@Branch", name: "Branch" },
    { kind: "text", start: 53, end: 58, raw: " see " },
    { kind: "symbol", start: 58, end: 65, raw: "@Horton", name: "Horton" },
  ],
}
const node = (start: number, end: number, raw: string, more: object = {}): ComposerNode => ({
  kind: "text",
  start,
  end,
  raw,
  ...more,
})

describe("[CMP-4] node positions", () => {
  it("the short example is accepted as printed", () => {
    const source = "/pr-review 123 in /worktree see @Branch"
    const nodes = [
      ...(long.nodes ?? []).slice(0, 3),
      node(27, 32, " see "),
      node(32, 39, "@Branch", { kind: "branch", name: "Branch" }),
    ]
    expect(composerInput.parse({ source, nodes })).toEqual({ source, nodes })
  })

  it("the long example is refused at its fourth node, and the error says where its text is", () => {
    const { error } = composerInput.safeParse(long)
    expect(error?.issues).toMatchObject([{ path: ["nodes", 3], params: { code: "composer.span" } }])
    expect(error?.issues[0]?.message).toBe(
      'Node 3 (text) says 27 to 46 is " be sure to check ", but that slice of the source is " be sure to check @". ' +
        '" be sure to check " is at 27 to 45. Offsets count UTF-16 code units.',
    )
  })

  it("the corrected long example is accepted", () => {
    const nodes = (long.nodes ?? []).map((one, index) => {
      const off = index < 3 ? [0, 0] : index === 3 ? [0, 1] : [1, 1]
      return { ...one, start: one.start - (off[0] ?? 0), end: one.end - (off[1] ?? 0) }
    })
    expect(composerInput.parse({ ...long, nodes }).nodes).toEqual(nodes)
  })

  const refused: readonly (readonly [string, string, readonly ComposerNode[], number, string])[] = [
    ["past the end", "ab", [node(1, 3, "b")], 0, 'the source ends at 2. "b" is at 1 to 2.'],
    ["ending before it starts", "ab", [node(1, 0, "")], 0, "ends before it starts"],
    ["overlapping", "abc", [node(0, 2, "ab"), node(1, 3, "bc")], 1, "the previous node ends at 2"],
    ["out of order", "abc", [node(1, 2, "b"), node(0, 1, "a")], 1, "in order"],
    ["between the halves of a character", "👍", [node(1, 1, "")], 0, "1 is inside a character"],
    ["ending between the halves", "a👍", [node(0, 2, "a\ud83d")], 0, "2 is inside a character"],
    ["with a fractional offset", "ab", [node(0.5, 1, "a")], 0, "non-negative integers"],
    ["with NaN", "ab", [node(Number.NaN, 1, "a")], 0, "non-negative integers"],
    ["with a negative offset", "ab", [node(-1, 1, "a")], 0, "non-negative integers"],
    ["another text", "ab", [node(0, 1, "x")], 0, 'is "x", but that slice of the source is "a". Offsets'],
    ["a character written another way", "e\u0301", [node(0, 2, "\u00e9")], 0, "that slice"],
    ["where it should be, at the beginning", "x..", [node(2, 3, "x")], 0, '"x" is at 0 to 1'],
    ["as near before as behind", "x.x", [node(1, 2, "x")], 0, '"x" is at 0 to 1'],
    ["only behind", "..x", [node(0, 1, "x")], 0, '"x" is at 2 to 3'],
    ["nearer behind", "x...x", [node(3, 4, "x")], 0, '"x" is at 4 to 5'],
    ["empty where something is", "ab", [node(0, 1, "")], 0, 'is "", but that slice of the source is "a". Offsets'],
    ["found nowhere", "ab", [node(0, 1, "c")], 0, 'slice of the source is "a". Offsets'],
    ["with an end that is no whole number", "ab", [node(0, 1.5, "a")], 0, "non-negative integers"],
    ["between the halves of the first pair", "\u{10000}", [node(1, 1, "")], 0, "1 is inside a character"],
    ["between the halves of the last pair", "\u{10ffff}", [node(1, 1, "")], 0, "1 is inside a character"],
    ["the nearest is named", "x..x...x", [node(4, 5, "x")], 0, '"x" is at 3 to 4'],
  ]
  it.each(refused)("a node %s is refused", (_about, source, nodes, index, words) => {
    const defect = spanDefect({ source, nodes })
    expect(defect?.node).toBe(index)
    expect(defect?.detail).toContain(words)
  })

  it("long text is quoted in part", () => {
    const source = "x".repeat(100_000)
    expect(spanDefect({ source, nodes: [node(0, 9, "y".repeat(50_000))] })?.detail.length).toBeLessThan(300)
    expect(spanDefect({ source, nodes: [node(0, 99_999, "👍".repeat(50))] })?.detail.isWellFormed()).toBe(true)
  })

  it("up to 60 characters are quoted whole, more with dots behind", () => {
    const detail = (raw: string) => spanDefect({ source: "a", nodes: [node(0, 1, raw)] })?.detail
    expect(detail("y".repeat(60))).toContain(`"${"y".repeat(60)}"`)
    expect(detail("y".repeat(61))).toContain(`"${"y".repeat(60)}…"`)
  })

  it("halves of characters that make no pair may be cut apart", () => {
    const nodes = [node(1, 2, "\udc00")]
    for (const before of ["a", "\udc00", "\ud7ff", "\ue000"])
      expect(spanDefect({ source: `${before}\udc00`, nodes })).toBeUndefined()
    for (const after of ["a", "\ud800", "\udbff", "\ue000"])
      expect(spanDefect({ source: `\ud800${after}`, nodes: [node(1, 2, after)] })).toBeUndefined()
  })

  it("empty nodes, nodes side by side and gaps are fine", () => {
    const nodes = [node(0, 0, ""), node(0, 1, "a"), node(1, 1, ""), node(3, 3, "")]
    expect(spanDefect({ source: "abc", nodes })).toBeUndefined()
    expect(spanDefect({ source: "" })).toBeUndefined()
  })

  it("[CMP-3] a node of a known kind needs its reference, one of an unknown kind needs nothing", () => {
    const issue = (more: object) =>
      composerInput.safeParse({ source: "a", nodes: [node(0, 1, "a", more)] }).error?.issues[0]?.path.join("/")
    for (const kind of ["slash_command", "symbol", "branch", "mention"]) {
      expect(issue({ kind })).toBe("nodes/0/name")
      expect(issue({ kind, name: "" })).toBe("nodes/0/name")
      expect(issue({ kind, name: "x" })).toBeUndefined()
    }
    expect(issue({ kind: "file", path: 7 })).toBe("nodes/0/path")
    expect(issue({ kind: "attachment", hash: "abc" })).toBe("nodes/0/hash")
    expect(issue({ kind: "attachment", hash: "a".repeat(64) })).toBeUndefined()
    for (const kind of ["colour", "constructor", "__proto__", "toString"]) expect(issue({ kind })).toBeUndefined()
  })

  it(`[CMP-4] ${CASES} inputs of arbitrary Unicode are accepted exactly when every node matches`, () => {
    let accepted = 0
    let bySchema = 0
    fc.assert(
      fc.property(anyInput, (input) => {
        const fits = isCutWhole(input)
        const defect = spanDefect(input)
        if (fits !== (defect === undefined))
          throw new Error(`${JSON.stringify(input)}: ${defect?.detail ?? "accepted"}`)
        if (defect !== undefined && !isCutWhole({ ...input, nodes: (input.nodes ?? []).slice(0, defect.node) }))
          throw new Error(`a node before ${defect.node} does not match`)
        if (fits) accepted += 1
        if (bySchema++ % 20 > 0 || !input.source.isWellFormed()) return
        const parsed = composerInput.safeParse(input)
        if (parsed.success !== fits) throw new Error(`the schema says otherwise: ${JSON.stringify(input)}`)
        if (parsed.success) expect(parsed.data).toEqual(input)
      }),
      { numRuns: CASES },
    )
    // A run that accepted nothing, or everything, tested nothing.
    expect(accepted).toBeGreaterThan(CASES / 10)
    expect(accepted).toBeLessThan((CASES * 9) / 10)
  })
})

/** The rule, implemented another way: split at the ends of its nodes, the source gives valid pieces, and each node is one. */
function isCutWhole({ source, nodes = [] }: ComposerInput): boolean {
  const cuts = [0, ...nodes.flatMap(({ start, end }) => [start, end]), source.length]
  if (cuts.some((cut, index) => !Number.isInteger(cut) || cut < (cuts[index - 1] ?? 0))) return false
  const pieces = cuts.slice(1).map((cut, index) => source.slice(cuts[index], cut))
  return pieces.every((piece) => piece.isWellFormed()) && nodes.every(({ raw }, index) => raw === pieces[2 * index + 1])
}

const piece = fc.constantFrom(
  "",
  "a",
  "ß",
  "e\u0301",
  "👍",
  "👩‍👩‍👧",
  "🇳🇴",
  "\u202e",
  "\ufeff",
  "\u{10ffff}",
  "\r\n",
  "日本",
  " ",
  "/x",
)
/** Splits at random positions, mostly valid ones; then usually changes one number or word of one node. */
const anyInput: fc.Arbitrary<ComposerInput> = fc
  .tuple(fc.array(piece, { maxLength: 6 }), fc.nat(0xffff), fc.nat(0xffff), fc.integer({ min: -2, max: 2 }))
  .map(([pieces, cuts, change, by]) => {
    const source = pieces.join("")
    const nodes: ComposerNode[] = []
    let at = 0
    for (const [index, text] of pieces.entries()) {
      if ((cuts >> index) & 1) nodes.push(node(at, at + text.length, text))
      at += text.length
    }
    return { source, nodes: changed(nodes, change, by) }
  })

function changed(nodes: readonly ComposerNode[], change: number, by: number): readonly ComposerNode[] {
  const one = nodes[change % nodes.length]
  if (one === undefined || change % 4 === 0) return nodes
  const other: Partial<ComposerNode>[] = [
    { start: one.start + by },
    { end: one.end + by },
    { start: one.start + by, end: one.end + by },
    { raw: one.raw + (by > 0 ? "x" : "") },
    { start: one.start + by / 4 },
    { start: one.start + by, raw: one.raw.slice(by) },
  ]
  return nodes.map(
    (known) => (known === one ? { ...one, ...other[(change >> 4) % other.length] } : known) as ComposerNode,
  )
}
