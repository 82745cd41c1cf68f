import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type ComposerNode, slashCommands, textAfter } from "./node.ts"
import { parseComposer } from "./parse.ts"
import { type Chip, printComposer } from "./print.ts"
import { spanDefect } from "./spans.ts"

const known = { commands: ["help", "pr-review"], agents: ["host", "critic"] }
const hash = "0123456789abcdef".repeat(4)
/** The nodes without their positions, which have a test of their own. */
const found = (source: string, options = known) =>
  (parseComposer(source, options).nodes ?? []).map(({ start: _start, end: _end, ...said }) => said)

describe("[CMP-5] the parser", () => {
  const cases: readonly (readonly [string, readonly object[]])[] = [
    ["hello there", []],
    ["", []],
    ["/help", [{ kind: "slash_command", raw: "/help", name: "help" }]],
    ["please /help me", [{ kind: "slash_command", raw: "/help", name: "help" }]],
    ["and/help", []],
    ["(/help)", []],
    ["/unknown 1 and /unknown 2", [{ kind: "slash_command", raw: "/unknown", name: "unknown" }]],
    ["hi\n  /unknown", [{ kind: "slash_command", raw: "/unknown", name: "unknown" }]],
    ["look in /tmp", []],
    ["//help /usr/bin /", []],
    ["/help, please", [{ kind: "slash_command", raw: "/help", name: "help" }]],
    ["@critic, look", [{ kind: "mention", raw: "@critic", name: "critic" }]],
    ["(@critic)!", [{ kind: "mention", raw: "@critic", name: "critic" }]],
    ["me@critic @nobody @", []],
    ["see @src/a.ts.", [{ kind: "file", raw: "@src/a.ts", path: "src/a.ts" }]],
    ["@a.ts:7", [{ kind: "file", raw: "@a.ts:7", path: "a.ts", lines: { from: 7, to: 7 } }]],
    ["@src/a:10-20;", [{ kind: "file", raw: "@src/a:10-20", path: "src/a", lines: { from: 10, to: 20 } }]],
    ["@a.ts:20-10", [{ kind: "file", raw: "@a.ts:20-10", path: "a.ts:20-10" }]],
    ["@a.ts:0", [{ kind: "file", raw: "@a.ts:0", path: "a.ts:0" }]],
    ["@file:Makefile", [{ kind: "file", raw: "@file:Makefile", path: "Makefile" }]],
    [
      "@my%20file.txt @100%.txt",
      [
        { kind: "file", raw: "@my%20file.txt", path: "my file.txt" },
        { kind: "file", raw: "@100%.txt", path: "100%.txt" },
      ],
    ],
    [
      "@a%00.txt @b%ff.txt",
      [
        { kind: "file", raw: "@a%00.txt", path: "a%00.txt" },
        { kind: "file", raw: "@b%ff.txt", path: "b%ff.txt" },
      ],
    ],
    ["@branch:try%20two", [{ kind: "branch", raw: "@branch:try%20two", name: "try two" }]],
    [`@attachment:${hash}`, [{ kind: "attachment", raw: `@attachment:${hash}`, hash }]],
    ["@attachment:abc @branch: @file:", []],
    [
      "#parse #1 # ##x #größe",
      [
        { kind: "symbol", raw: "#parse", name: "parse" },
        { kind: "symbol", raw: "#größe", name: "größe" },
      ],
    ],
    [
      "/pr-review 123 in /help see @critic",
      [
        { kind: "slash_command", raw: "/pr-review", name: "pr-review" },
        { kind: "slash_command", raw: "/help", name: "help" },
        { kind: "mention", raw: "@critic", name: "critic" },
      ],
    ],
  ]
  it.each(cases)("%j", (source, nodes) => {
    expect(found(source)).toEqual(nodes)
  })

  it("without a list of agents, every valid agent name is one", () => {
    expect(found("@Critic @critic", {} as typeof known)).toEqual([{ kind: "mention", raw: "@critic", name: "critic" }])
  })

  it("returns the text after each command, up to the next", () => {
    const input = parseComposer("/pr-review 123 now /help me", known)
    expect(slashCommands(input).map((node) => [node.name, textAfter(input, node)])).toEqual([
      ["pr-review", "123 now"],
      ["help", "me"],
    ])
  })

  it("[CMP-4] for any input, the nodes match the source", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "/",
        "@",
        "#",
        "file:",
        "branch:",
        "help",
        "critic",
        "a.ts",
        ":10-20",
        "%20",
        "%",
        " ",
        "\n",
        "(",
        ")",
        ".",
      ),
      fc.string({ unit: "grapheme", maxLength: 3 }),
      fc.string({ unit: "binary", maxLength: 3 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const input = parseComposer(pieces.join(""), known)
        expect(spanDefect(input)).toBeUndefined()
      }),
      { numRuns: 5_000 },
    )
  })
})

describe("[CMP-5] the printer", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 12 })
  const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }).filter((one) => !one.includes("\u0000"))
  const line = fc.integer({ min: 1, max: 999_999_999 })
  const lines = fc.tuple(line, line).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }))
  const reference: fc.Arbitrary<Chip> = fc.oneof(
    fc.record({ kind: fc.constant("slash_command"), name: fc.constantFrom(...known.commands) }),
    fc.record({ kind: fc.constant("mention"), name: fc.constantFrom(...known.agents) }),
    fc.record({ kind: fc.constantFrom("symbol", "branch"), name }),
    fc.record({ kind: fc.constant("file"), path: name, lines }, { requiredKeys: ["kind", "path"] }),
    fc.constant({ kind: "attachment", hash }),
  ) as fc.Arbitrary<Chip>
  const chips = (words: fc.Arbitrary<string>) =>
    fc.array(fc.oneof(reference, fc.record({ kind: fc.constant("text"), raw: words })), { maxLength: 8 })
  const references = (list: readonly Chip[]) => list.filter(({ kind }) => kind !== "text")
  const withoutPlace = (nodes: readonly ComposerNode[] = []) =>
    nodes.map(({ start: _start, end: _end, raw: _raw, ...said }) => said)

  it("[CMP-5] parse(print(nodes)) = nodes", () => {
    const plain = text.map((words) => words.replaceAll(/[/@#]/g, ""))
    fc.assert(
      fc.property(chips(plain), (list) => {
        const printed = printComposer(list)
        expect(parseComposer(printed.source, known)).toEqual(printed)
        expect(withoutPlace(printed.nodes)).toEqual(references(list))
        expect(withoutPlace(printComposer((printed.nodes ?? []) as readonly Chip[]).nodes)).toEqual(references(list))
      }),
      { numRuns: 5_000 },
    )
  })

  it("[CMP-5] a chip is found again, whatever text surrounds it", () => {
    const typed = fc.oneof(
      text,
      fc.constantFrom("(", '@"', "@a", "/help", "@file:", "#x ", "\\", "%", ":10", ").", "@critic"),
    )
    fc.assert(
      fc.property(chips(typed), (list) => {
        const printed = printComposer(list)
        expect(spanDefect(printed)).toBeUndefined()
        const parsed = parseComposer(printed.source, known).nodes ?? []
        for (const node of printed.nodes ?? []) expect(parsed).toContainEqual(node)
      }),
      { numRuns: 5_000 },
    )
  })

  it("adds no space before punctuation", () => {
    const list: Chip[] = [
      { kind: "text", raw: "Hi " },
      { kind: "mention", name: "critic" },
      { kind: "text", raw: ", see" },
      { kind: "file", path: "my file.txt", lines: { from: 3, to: 3 } },
      { kind: "text", raw: "." },
    ]
    expect(printComposer(list).source).toBe("Hi @critic, see @my%20file.txt:3.")
  })

  it("[CMP-3] unknown kinds are kept unchanged", () => {
    const printed = printComposer([{ kind: "text", raw: "a " }, { kind: "colour", raw: "red", hex: "#f00" } as Chip])
    expect(printed).toEqual({ source: "a red", nodes: [{ kind: "colour", start: 2, end: 5, raw: "red", hex: "#f00" }] })
  })
})
