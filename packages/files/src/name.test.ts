import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { folderName } from "./name.ts"

describe("names of folders", () => {
  it("keeps plain names as they are", () => {
    for (const name of ["me", "host", "main", "a-b_c9"]) expect(folderName(name)).toBe(name)
  })

  it.each([
    ["Me", "=4de"],
    ["telegram:42", "telegram=3a42"],
    ["..", "=2e=2e"],
    [".", "=2e"],
    ["a/b", "a=2fb"],
    ["nul", "=6eul"],
    ["com1", "=63om1"],
    ["ä", "=c3=a4"],
    [".parlor", "=2eparlor"],
  ])("%s becomes %s", (name, folder) => {
    expect(folderName(name)).toBe(folder)
  })

  it("[WSP-1] two names never share a folder, even on case-insensitive systems, and every one is a plain name", () => {
    const name = fc.oneof(
      fc.string({ unit: "binary", minLength: 1, maxLength: 300 }),
      fc.string({ unit: fc.constantFrom("a", "A", "=", "4", "1", "."), minLength: 1, maxLength: 6 }),
    )
    fc.assert(
      fc.property(name, name, (a, b) => {
        const made = folderName(a)
        expect(made).toMatch(/^[a-z0-9_=-]{1,80}$/)
        if (a !== b) expect(made.toLowerCase()).not.toBe(folderName(b).toLowerCase())
      }),
      { numRuns: 1_500 },
    )
  })
})
