import fc from "fast-check"
import { expect, it } from "vitest"
import { LINES_AT_ONCE, stretchesOf } from "./stretches.ts"

it("[TAB-7] all of the code is there, and what is settled stays as it was", () => {
  const lines = fc.array(fc.string({ maxLength: 3 }), { maxLength: 400 }).map((all) => all.join("\n"))
  fc.assert(
    fc.property(lines, fc.nat(), (text, place) => {
      const stretches = stretchesOf(text)
      expect(stretches.join("\n")).toBe(text)
      const before = stretchesOf(text.slice(0, place % (text.length + 1)))
      expect(stretches.slice(0, before.length - 1)).toEqual(before.slice(0, -1))
      expect(stretches.every((stretch) => stretch.split("\n").length <= LINES_AT_ONCE)).toBe(true)
    }),
  )
})
