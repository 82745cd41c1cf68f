import { branchName } from "@parlor/protocol"
import fc from "fast-check"
import { expect, test } from "vitest"
import { nameFrom, numbered } from "./name.ts"

test("[BRA-6] a branch is named after its message, in a readable form that is easy to type", () => {
  expect(nameFrom("How do crabs walk? Sideways, I think.", "branch")).toBe("how-do-crabs-walk-sideways-i-think")
  expect(nameFrom("Añadir «más» über Straße", "branch")).toBe("añadir-más-über-straße")
  expect(nameFrom("カニはどうやって歩きますか", "branch")).toBe("カニはどうやって歩きますか")
  expect(nameFrom("a".repeat(100), "branch")).toBe("a".repeat(40))
  expect(nameFrom(" … /?! ", "branch")).toBe("branch")
  expect([1, 2, 3].map((count) => numbered("crab", count))).toEqual(["crab", "crab-2", "crab-3"])
})

test("[BRA-6] the name is valid for any message text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 600 }), fc.integer({ min: 1, max: 99 }), (text, count) => {
      const name = numbered(nameFrom(text, "branch"), count)
      expect(branchName.safeParse(name).success, JSON.stringify(name)).toBe(true)
    }),
    { numRuns: 500 },
  )
})
