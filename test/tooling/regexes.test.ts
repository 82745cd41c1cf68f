import { describe, expect, it } from "vitest"
import { attacksOn } from "../../scripts/regexes/attacks.mjs"
import { regexesIn } from "../../scripts/regexes/find.mjs"
import { judge, timeAll } from "../../scripts/regexes.mjs"

const file = "packages/core/src/one.ts"
const defectsOf = async (pattern: string, flags = "") => {
  const expressions = [{ file, pattern, flags }]
  return judge(expressions, await timeAll(expressions))
}

describe("[SEC-27] the check of regular expressions", { timeout: 90_000 }, () => {
  it.each([
    ["spaces at the end", String.raw`\s+$`, ""],
    ["the placeholder of a webhook template, as it was", String.raw`\{\{\s*([^{}]{1,300}?)\s*\}\}`, "g"],
    ["an opening that is never closed", '<from agent="[^"<>]*">.*?</from>', "gs"],
    ["an opening in one of several branches", String.raw`\b(?:sk-[\w-]{8,}|eyJ[\w-]{8,}\.[\w-]+)`, "g"],
    ["links", String.raw`!?\[([^\]\n]*)\]\([^)\n]*\)`, "g"],
    ["one that doubles with every letter", "^(a|a)*$", ""],
  ])("finds %s", async (_, pattern, flags) => {
    expect(await defectsOf(pattern, flags)).toHaveLength(1)
  })

  it.each([
    ["words", String.raw`\S+`, "g"],
    ["spaces at the end, from where they begin", String.raw`(?<!\s)\s+$`, ""],
    ["names", "^[a-z0-9]+(?:-[a-z0-9]+)*$", ""],
    ["sets of characters", String.raw`[[\p{L}\p{N}]--[a-z]]+`, "gv"],
  ])("lets %s pass", async (_, pattern, flags) => {
    expect(attacksOn(pattern, flags).length).toBeGreaterThan(10)
    expect(await defectsOf(pattern, flags)).toEqual([])
  })

  it("takes literals from the code, not from comments and texts", () => {
    const text = 'const a = /x+/gu // /no/\nconst b = "/no/"\nconst c = (s: string) => s.split(/y/)'
    const found = regexesIn(file, text)
    expect(found.literals.map(({ pattern, flags }) => `/${pattern}/${flags}`)).toEqual(["/x+/gu", "/y/"])
    expect(found.defects).toEqual([])
  })

  it("refuses one that is built while something is asked, and notes one that is built at start", () => {
    const later = regexesIn(file, "export const find = (q: string) => new RegExp(q)")
    expect(later.defects).toEqual([expect.stringContaining("builds a regular expression inside a function")])
    const first = regexesIn(file, 'const AT = new RegExp("a+")')
    expect(first).toMatchObject({ isBuilding: true, defects: [] })
  })
})
