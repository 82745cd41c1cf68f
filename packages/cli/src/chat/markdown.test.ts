import { stripVTControlCharacters } from "node:util"
import fc from "fast-check"
import { expect, test } from "vitest"
import { columnsOf } from "./columns.ts"
import { Flow } from "./flow.ts"
import { Markdown } from "./markdown.ts"

const shown = (line: string) => new Markdown().line(line)
const bare = (line: string) => stripVTControlCharacters(shown(line))

test.each([
  ["  # A *title*", "  A title"],
  ["  - one `two` **three**", "  • one two three"],
  ["    * deeper", "    • deeper"],
  ["  > said", "  │ said"],
  ["  ---", `  ${"─".repeat(20)}`],
  ["  see [the guide](https://example.com/a)", "  see the guide (https://example.com/a)"],
  ["  2 * 3 * 4 and snake_case_name and \\*this\\*", "  2 * 3 * 4 and snake_case_name and *this*"],
  ["host", "host"],
  ["  · roll: done", "  · roll: done"],
])("[CLI-6] %j reads as %j", (line, expected) => {
  expect(bare(line)).toBe(expected)
})

test("[CLI-6] emphasis and code are styled, in text but not in code", () => {
  expect(shown("  **bold**")).toBe("  \u001b[1mbold\u001b[22m")
  const markdown = new Markdown()
  const lines = ["  ```ts", "  **not bold**", "  ```", "  **bold**"].map((line) => markdown.line(line))
  expect(lines.map((line) => line.includes("\u001b[1m"))).toEqual([false, false, false, true])
  expect(stripVTControlCharacters(lines[1] ?? "")).toBe("  **not bold**")
})

test("[CLI-6] an unclosed fence ends with the message, and a growing line changes no state", () => {
  const markdown = new Markdown()
  markdown.line("  ```")
  markdown.peek("  ```")
  expect(markdown.line("  **code**")).not.toContain("\u001b[1m")
  markdown.line("you")
  expect(markdown.line("  **bold**")).toContain("\u001b[1m")
})

test("[CLI-6] a style continues on the next row and never leaves it open", () => {
  const flow = new Flow(new Markdown())
  const rows = flow.push("  **one two three four** five\n", 12)
  expect(rows.map((row) => stripVTControlCharacters(row))).toEqual(["  one two", "  three four", "  five"])
  expect(rows[0]).toBe("  \u001b[1mone two\u001b[0m")
  expect(rows[1]).toBe("  \u001b[1mthree four\u001b[22m")
})

test("[CLI-6] any text stays whole and within the width, however it is split", () => {
  const text = fc.string({
    unit: fc.constantFrom("a", "b c", "*", "**", "`", "_", "\n  ", "[x](y)", "漢", "> ", "# "),
    maxLength: 60,
  })
  fc.assert(
    fc.property(fc.array(text), fc.integer({ min: 8, max: 30 }), (pieces, columns) => {
      const split = new Flow(new Markdown())
      const rows = [...pieces.flatMap((piece) => split.push(piece, columns)), ...split.rest]
      const whole = new Flow(new Markdown())
      expect(rows).toEqual([...whole.push(pieces.join(""), columns), ...whole.rest])
      for (const row of rows) expect(columnsOf(row)).toBeLessThanOrEqual(columns)
    }),
  )
})
