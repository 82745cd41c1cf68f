import fc from "fast-check"
import { expect, test } from "vitest"
import { clip, columnsOf } from "./columns.ts"
import { Flow, wrap } from "./flow.ts"

test("lines are broken between words and keep their indent", () => {
  expect(wrap("  one two three", 10)).toEqual(["  one two", "  three"])
  expect(wrap("  abcdefghijklmnop", 10)).toEqual(["  abcdefgh", "  ijklmnop"])
  expect(wrap("", 10)).toEqual([""])
})

test("wide characters take two columns, marks none", () => {
  expect(["a", "é", "e\u0301", "漢", "👋🏽", "👨‍👩‍👧", "❤️"].map(columnsOf)).toEqual([1, 1, 1, 2, 2, 2, 2])
  expect(clip("漢字漢字", 5)).toBe("漢字…")
  expect(wrap("漢字漢字漢字", 8)).toEqual(["漢字漢字", "漢字"])
})

test("growing text loses nothing, however it is split, and no row is too wide", () => {
  const text = fc.string({
    unit: fc.constantFrom("a", "bc", " ", "  ", "\n", "漢", "\t", "longer-word"),
    maxLength: 80,
  })
  fc.assert(
    fc.property(fc.array(text), fc.integer({ min: 8, max: 30 }), (pieces, columns) => {
      const flow = new Flow()
      const rows = pieces.flatMap((piece) => flow.push(piece, columns))
      const all = [...rows, ...flow.rest]
      for (const row of all) expect(columnsOf(row)).toBeLessThanOrEqual(columns)
      expect(all.join("").replace(/\s/g, "")).toBe(pieces.join("").replace(/\s/g, ""))
    }),
  )
})
