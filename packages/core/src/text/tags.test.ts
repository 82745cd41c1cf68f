import { describe, expect, it } from "vitest"
import { escapeJson, isBlank, unescapeJson } from "./tags.ts"

describe("texts that are put together", () => {
  it("[SEC-34] are blank when nobody says anything, whoever it is", () => {
    expect(isBlank([])).toBe(true)
    expect(isBlank([{ ours: " " }, { theirs: "\n" }])).toBe(true)
    expect(isBlank([{ ours: " " }, { theirs: "a" }])).toBe(false)
    expect(isBlank([{ ours: "a" }, { theirs: "" }])).toBe(false)
  })

  it("[SEC-34] JSON is escaped in keys and values, at any depth, and read back as it was", () => {
    const value = { "<note>": ["<note>", 1, null, true, { deep: "</note>" }] }
    const escaped = { "<\\note>": ["<\\note>", 1, null, true, { deep: "<\\/note>" }] }
    expect(escapeJson(value)).toEqual(escaped)
    expect(unescapeJson(escaped)).toEqual(value)
    expect(escapeJson(null)).toBeNull()
  })
})
