import { limits } from "@parlor/protocol"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type FileMemory, parseMemory, printMemory } from "./memory-file.ts"

const tea: FileMemory = {
  name: "tea",
  description: "Drinks green tea",
  type: "user",
  pinned: false,
  body: "In the morning.\n\nNever with milk.",
}
const parse = (text: string, name = "tea") => parseMemory(text, { file: `user/${name}.md`, name })

const odd = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc
    .array(
      fc.constantFrom(
        "---",
        '"',
        "'",
        "''",
        ": ",
        " #",
        "#",
        "\\",
        "\\n",
        "- ",
        " ",
        "\t",
        "|",
        ">",
        "true",
        "null",
        "é",
        "👩‍👩‍👧",
        "\ufeff",
        "\u00a0",
        "0",
        "~",
      ),
      { maxLength: 8 },
    )
    .map((pieces) => pieces.join("")),
)
const body = fc.oneof(
  odd,
  fc
    .array(fc.constantFrom("---", "\n", "\r\n", "\r", "name: x", "# Title", " ", "\u2028", "\t", "```"), {
      maxLength: 12,
    })
    .map((pieces) => pieces.join("")),
)
const isLine = (text: string) => text.trim() !== "" && !/[\p{Cc}\u2028\u2029]/u.test(text) && text.isWellFormed()
const isText = (text: string) => !text.includes("\u0000") && text.isWellFormed()
const memory: fc.Arbitrary<FileMemory> = fc.record({
  name: fc.stringMatching(/^[a-z0-9]{1,6}(-[a-z0-9]{1,6}){0,3}$/),
  description: odd.filter(isLine),
  type: fc.stringMatching(/^[a-z][a-z0-9-]{0,12}$/),
  pinned: fc.boolean(),
  body: body.filter(isText),
})

describe("a memory as a file", () => {
  test("[MEM-7] is markdown that reads well", () => {
    expect(printMemory(tea)).toBe(
      "---\nname: tea\ndescription: Drinks green tea\ntype: user\n---\n\nIn the morning.\n\nNever with milk.\n",
    )
    expect(printMemory({ ...tea, description: 'Says: "no" #1', pinned: true })).toContain(
      'description: "Says: \\"no\\" #1"\ntype: user\npinned: true\n---\n',
    )
  })

  test("[MEM-7] round-trips any content", () => {
    fc.assert(
      fc.property(memory, (one) => {
        expect(parse(printMemory(one), one.name)).toEqual(one)
      }),
      { numRuns: 5_000 },
    )
  })

  test("[MEM-7] written by hand, in any one-line YAML form, is accepted", () => {
    const same = [
      "---\ndescription: Drinks green tea\ntype: user\n---\nIn the morning.\n\nNever with milk.",
      "\ufeff---\n# mine\n\ntype: 'user'\nname: tea\ndescription: \"Drinks green tea\"\npinned: false\n---\n\nIn the morning.\n\nNever with milk.\n",
      printMemory(tea).replaceAll("\n", "\r\n"),
      "--- \nname:   tea  \ndescription: 'Drinks green tea' \ntype: user\n---\t\n\nIn the morning.\n\nNever with milk.\n",
    ]
    for (const text of same) expect(parse(text)).toEqual(tea)
    expect(parse("---\ndescription: 'It''s'\ntype: user\n---\n").description).toBe("It's")
    expect(parse("---\ndescription: x\ntype: user\n---").body).toBe("")
  })

  const head = "---\ndescription: x\ntype: user\n"
  test.each([
    ["Just text", 1, "must begin with front matter"],
    ["---\ndescription: x\n", 1, "must begin with front matter"],
    ["---\ntype: user\n---\n", 1, '"description" is missing'],
    [`${head}colour: red\n---\n`, 4, "Unknown field"],
    [`${head}some words\n---\n`, 4, "Unknown field"],
    [`${head}  nested: x\n---\n`, 4, "Unknown field"],
    [`${head}type: again\n---\n`, 4, "twice"],
    [`${head}name: coffee\n---\n`, 4, 'the file is called "tea"'],
    [`${head}pinned: maybe\n---\n`, 4, "true or false"],
    ["---\ndescription:\ntype: user\n---\n", 2, "one line what the memory is about"],
    ['---\ntype: user\ndescription: "two\\nlines"\n---\n', 3, "one line"],
    ['---\ntype: user\ndescription: "open\n---\n', 3, "cannot be parsed"],
    ["---\ndescription: |\n  two\n  lines\ntype: user\n---\n", 2, "cannot be parsed"],
    ["---\ndescription: a: b\ntype: user\n---\n", 2, "cannot be parsed"],
    ["---\ndescription: a # b\ntype: user\n---\n", 2, "cannot be parsed"],
    [`---\ndescription: ${"x".repeat(201)}\ntype: user\n---\n`, 2, "description: "],
    ["---\ndescription: x\ntype: Two Words\n---\n", 3, "type: "],
    [`${head}---\n\n${"x".repeat(limits.memoryBodyBytes + 1)}\n`, 5, "maximum is 16 KB"],
    [`${head}---\n\na\u0000b\n`, 5, "NUL"],
  ])("[MEM-7] a bad file is refused by name and line: %j", (text, line, words) => {
    expect(() => parse(text)).toThrow(new RegExp(`^user/tea\\.md:${line}: .*${words.replaceAll(/[()]/g, "\\$&")}`, "s"))
  })

  test("[MEM-1] a file whose name is not kebab-case is refused", () => {
    expect(() => parse(`${head}---\n`, "Green Tea")).toThrow('user/Green Tea.md:1: "Green Tea" is not a valid name')
  })
})
