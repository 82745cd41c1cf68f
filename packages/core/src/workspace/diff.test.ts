import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { unifiedDiff } from "./diff.ts"

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("")

describe("a unified diff", () => {
  it("shows changes with three lines around them", () => {
    expect(unifiedDiff(numbered(10), numbered(10).replace("line 5\n", "five\n"))).toBe(
      ["@@ -2,7 +2,7 @@", " line 2", " line 3", " line 4", "-line 5", "+five", " line 6", " line 7", " line 8"].join(
        "\n",
      ),
    )
  })

  it("is empty for equal texts, and shows a new and a deleted file in full", () => {
    expect(unifiedDiff("a\n", "a\n")).toBe("")
    expect(unifiedDiff("", "a\nb\n")).toBe("@@ -0,0 +1,2 @@\n+a\n+b")
    expect(unifiedDiff("a\n", "")).toBe("@@ -1 +0,0 @@\n-a")
  })

  it("shows a missing newline at the end", () => {
    expect(unifiedDiff("a", "a\n")).toBe("@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a")
  })

  it("merges nearby changes and separates distant ones", () => {
    const far = numbered(30).replace("line 5\n", "").replace("line 25\n", "")
    expect(unifiedDiff(numbered(30), far)?.match(/^@@/gm)).toHaveLength(2)
    const near = numbered(30).replace("line 5\n", "").replace("line 11\n", "")
    expect(unifiedDiff(numbered(30), near)?.match(/^@@/gm)).toHaveLength(1)
  })

  it("replaces texts that have nothing in common as a whole, and limits the lines it compares", () => {
    const other = numbered(2_000).replaceAll("line", "row")
    const diff = unifiedDiff(numbered(2_000), other) ?? ""
    expect(diff.split("\n")).toHaveLength(4_001)
    expect(unifiedDiff("\n".repeat(10_001), "a\n".repeat(10_000))).toBeNull()
  })

  it("is a patch: it turns the old text into the new one", () => {
    const text = fc
      .array(fc.constantFrom("a", "b", "c", "d", "", "long line"), { maxLength: 40 })
      .chain((lines) => fc.constantFrom(lines.join("\n"), `${lines.join("\n")}\n`))
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(patched(before, unifiedDiff(before, after) ?? "")).toBe(after)
      }),
      { numRuns: 2_000 },
    )
  })
})

/** Like `patch`; every line in the diff has to be there. */
function patched(before: string, diff: string): string {
  const old = before.match(/[^\n]*\n|[^\n]+$/g) ?? []
  const made: string[] = []
  let next = 0
  const lines = diff === "" ? [] : diff.split("\n")
  for (const [index, line] of lines.entries()) {
    const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@$/.exec(line)
    if (head !== null) {
      const start = Number(head[1]) - (head[2] === "0" ? 0 : 1)
      made.push(...old.slice(next, start))
      next = start
      expect(made.length).toBe(Number(head[3]) - (head[4] === "0" ? 0 : 1))
    } else if (!line.startsWith("\\")) {
      const text = line.slice(1) + (lines[index + 1]?.startsWith("\\") ? "" : "\n")
      if (!line.startsWith("+")) expect(old[next++]).toBe(text)
      if (!line.startsWith("-")) made.push(text)
    }
  }
  return [...made, ...old.slice(next)].join("")
}
