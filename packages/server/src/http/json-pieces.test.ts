import fc from "fast-check"
import { expect, test } from "vitest"
import { jsonBody, jsonPieces } from "./json-pieces.ts"

test("[LOG-25] pieces are the same text as JSON.stringify returns, for any value", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const wrapped = { a: [value, undefined, "x".repeat(20_000)], b: undefined, c: { d: value, e: {} }, f: [] }
      expect([...jsonPieces(wrapped)].join("")).toBe(JSON.stringify(wrapped))
    }),
  )
})

test("[LOG-25] a long list comes in pieces of bounded length, a short one as text", () => {
  const row = { text: "ü".repeat(1_000), list: [1, null, true] }
  expect(jsonBody({ rows: [row] })).toBe(JSON.stringify({ rows: [row] }))
  const long = { rows: Array.from({ length: 1_000 }, () => row), cursor: null }
  const pieces = [...jsonBody(long)]
  expect(pieces.length).toBeGreaterThan(10)
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(70_000)
  expect(pieces.join("")).toBe(JSON.stringify(long))
})
