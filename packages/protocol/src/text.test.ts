import fc from "fast-check"
import { expect, test } from "vitest"
import { textDefect, wellFormedText } from "./text.ts"

test("[SEC-5] text is refused exactly when it contains a NUL or a lone surrogate", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string({ unit: "binary" }), units()), { maxLength: 8 }), (pieces) => {
      const text = pieces.join("")
      const good = text.isWellFormed() && !text.includes("\u0000")
      expect(textDefect(text) === undefined).toBe(good)
      expect(wellFormedText.safeParse(text).success).toBe(good)
    }),
  )
})

test("[SEC-5] accepted text survives UTF-8 unchanged", () => {
  fc.assert(
    fc.property(units(), (text) => {
      if (textDefect(text) === undefined) expect(new TextDecoder().decode(new TextEncoder().encode(text))).toBe(text)
    }),
  )
})

test.each([
  ["a\u0000b", "NUL character at 1"],
  ["\ud800", "surrogate pair at 0"],
  ["ab\udc00", "surrogate pair at 2"],
  ["👍\ud83d", "surrogate pair at 2"],
  ["\ude00\ud83d", "surrogate pair at 0"],
  ["\ud83d\ud83d\ude00", "surrogate pair at 0"],
  ["\ud800\udc00\udbff\udfff\ud7ff\ue000\udfff", "surrogate pair at 6"],
  ["\udc00\udc00", "surrogate pair at 0"],
])("[SEC-5] the error about %j says where", (text, where) => {
  expect(textDefect(text)).toContain(where)
})

/** Single UTF-16 code units, mostly difficult ones. */
function units(): fc.Arbitrary<string> {
  const unit = fc.oneof(fc.integer({ min: 0xd7fe, max: 0xe001 }), fc.integer({ min: 0, max: 0xffff }), fc.constant(0))
  return fc.array(unit, { maxLength: 6 }).map((list) => String.fromCharCode(...list))
}
