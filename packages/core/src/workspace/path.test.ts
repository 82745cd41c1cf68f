import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { hostilePaths } from "../../../../test/support/hostile-paths.ts"
import { checkPath, foldPath, pathDefect } from "./path.ts"

const good = [
  "a",
  "notes.md",
  "a/b/c.txt",
  ".env",
  ".github/workflows/ci.yml",
  "Straße/Übung.md",
  "日本語/メモ.txt",
  "نامه‌ها.txt",
  "with space.txt",
  "a..b",
  "...x",
  "console.log",
  "com10",
  "nullable.ts",
  "aux-1",
  "emoji 👍.md",
  "~user",
  "a~b",
  "-rf",
  "$HOME",
  "%2e%2e",
]

describe("paths of files", () => {
  it.each(good)("[WSP-1] %s is valid", (path) => {
    expect(pathDefect(path)).toBeUndefined()
    expect(checkPath(path)).toBe(path)
  })

  it.each(hostilePaths.map((path) => [JSON.stringify(path.slice(0, 30)), path]))(
    "[WSP-1] %s is not valid",
    (_shown, path) => {
      const refused = () => checkPath(path, "/path")
      expect(refused).toThrow(expect.objectContaining({ code: "file.path", pointer: "/path" }))
      expect(refused).toThrow(/cannot be the path of a file: .+\.$/)
    },
  )

  it("[WSP-1] tests at least a hundred hostile paths", () => {
    expect(new Set(hostilePaths).size).toBeGreaterThanOrEqual(100)
  })

  it("every accepted path stays inside the folder, on any system", () => {
    const step = fc.oneof(
      fc.constantFrom("..", ".", "", "a", "con", "C:", "\\", "~1", ".parlor", "e\u0301"),
      fc.string({ unit: "binary", maxLength: 6 }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 5 }), (steps) => {
        const path = steps.join("/")
        if (pathDefect(path) !== undefined) return
        for (const one of path.split("/")) {
          expect(one).not.toMatch(/^\.*$|[\\:]|\p{Cc}|[. ]$/u)
          expect(one.normalize("NFKC")).not.toMatch(/^\.*$|[/\\:]/)
        }
      }),
      { numRuns: 5_000 },
    )
  })

  it("names that differ only in case or normalization are considered equal", () => {
    for (const [a, b] of [
      ["README.md", "readme.MD"],
      ["Straße", "STRASSE"],
      ["ﬁle", "file"],
      ["Ⅳ", "iv"],
      ["ΣΑΣ", "σας"],
      ["a\u200db", "ab"],
      ["Å", "å"],
    ] as const)
      expect(foldPath(a), `${a} ${b}`).toBe(foldPath(b))
    expect(foldPath("a.txt")).not.toBe(foldPath("b.txt"))
  })
})
