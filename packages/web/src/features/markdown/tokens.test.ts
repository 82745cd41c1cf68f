import { describe, expect, it } from "vitest"
import { tokensOf } from "./tokens.ts"

const colored = (language: string, code: string) =>
  tokensOf(language, code)?.flatMap(({ kind, text }) => (kind === undefined ? [] : [`${kind} ${text}`]))

describe("[MSG-14] the colors of code", () => {
  it("tell comments, strings, numbers, keywords and calls apart", () => {
    expect(colored("ts", 'const a = greet("hi", 42) // done')).toEqual([
      "keyword const",
      "call greet",
      'string "hi"',
      "number 42",
      "comment // done",
    ])
    expect(colored("python", "def f(): # x\n  return 'a'")).toEqual([
      "keyword def",
      "call f",
      "comment # x",
      "keyword return",
      "string 'a'",
    ])
    expect(colored("sql", "SELECT 1 -- one")).toEqual(["keyword SELECT", "number 1", "comment -- one"])
    expect(colored("html", '<a href="x">if</a>')).toEqual(["tag <a", 'string "x"', "tag >", "tag </a", "tag >"])
    expect(colored("json", '{"a": "b"}')).toEqual(['tag "a"', 'string "b"'])
  })

  it("lose no character, even of unfinished code", () => {
    for (const code of ['const a = "unfinished', "/* open", "`a ${b", "<!-- x", "x = 'a\n'b'", "日本 = \\"])
      for (const language of ["ts", "py", "html", "sql", "json"])
        expect(
          tokensOf(language, code)
            ?.map(({ text }) => text)
            .join(""),
        ).toBe(code)
  })

  it("are left out where they do not help, and for very long code", () => {
    expect(tokensOf("text", "if true")).toBeUndefined()
    expect(tokensOf("ts", "x".repeat(20_001))).toBeUndefined()
  })
})
