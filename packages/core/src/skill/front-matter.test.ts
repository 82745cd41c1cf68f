import { describe, expect, it } from "vitest"
import { type FrontMatterError, parseFrontMatter } from "./front-matter.ts"

const file = (head: string, body = "Body") => `---\n${head}\n---\n${body}`
const values = (head: string) => Object.fromEntries(parseFrontMatter(file(head)).values)

describe("front matter", () => {
  it("[CMP-11] plain, quoted and block strings are parsed; comments and empty lines are skipped", () => {
    expect(
      values(
        [
          "# a comment",
          "name: plain-text   # another",
          "",
          "colon: Use it when: there is one",
          'double: "a \\"b\\" \\u00e9 # no comment"',
          "single: 'it''s'  # a comment",
          "folded: >-",
          "  one line",
          "  of two",
          "",
          "  and a third",
          "literal: |",
          "  first",
          "    deeper",
          "long: begins here",
          "  and goes on",
          "hash: C# is fine",
          "empty:",
        ].join("\n"),
      ),
    ).toEqual({
      name: "plain-text",
      colon: "Use it when: there is one",
      double: 'a "b" é # no comment',
      single: "it's",
      folded: "one line of two\n\nand a third",
      literal: "first\n  deeper\n",
      long: "begins here and goes on",
      hash: "C# is fine",
      empty: "",
    })
  })

  it("lists and maps are ignored", () => {
    const head = "name: a\nmetadata:\n  author: x\n  list:\n    - 1\ntools:\n- Bash\n- Read\nflow: [a, b]\nlicense: MIT"
    expect(values(head)).toEqual({ name: "a", metadata: undefined, tools: undefined, flow: undefined, license: "MIT" })
  })

  it("accepts a byte order mark and all kinds of line ends", () => {
    const { values, body } = parseFrontMatter("\ufeff---\r\nname: a\r\n---\r\n\r\nOne\r\nTwo\r\n")
    expect([values.get("name"), body]).toEqual(["a", "One\nTwo"])
  })

  it.each([
    ["name: a", 1, 'does not start with a line "---"'],
    ["---\nname: a\n", 1, "no closing line"],
    ["---\nname: a\nname: b\n---\n", 3, '"name" appears twice'],
    ["---\njust words\n---\n", 2, 'not of the form "key: text"'],
    ["---\nname: a\n\tb: c\n---\n", 3, "tab"],
    ['---\nname: "open\n---\n', 2, 'begins with " does not end'],
    ["---\nname: 'open\n---\n", 2, "begins with ' does not end"],
    ['---\nname: "a" b\n---\n', 2, "after the end"],
    ['---\nname: "\\q"\n---\n', 2, "escape"],
  ])("%j is rejected with its line", (text, line, why) => {
    expect(() => parseFrontMatter(text)).toThrow(why)
    try {
      parseFrontMatter(text)
    } catch (error) {
      expect((error as FrontMatterError).line).toBe(line)
    }
  })
})
