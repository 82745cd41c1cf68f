import { describe, expect, it } from "vitest"
import { titleOf } from "./archive.ts"

describe("the title of an archive", () => {
  it("[CPT-2] is the first sentence of the summary, at most 60 characters", () => {
    expect(titleOf("We planned the move to Oslo. Then we packed.")).toBe("We planned the move to Oslo.")
    expect(titleOf("# **Version 1.2 of the parser** is done\n\nmore")).toBe("Version 1.2 of the parser is done")
    expect(titleOf("我们讨论了部署计划。然后是预算。")).toBe("我们讨论了部署计划。")
    const long = titleOf("word ".repeat(40))
    expect([...long].length).toBeLessThanOrEqual(60)
    expect(long.endsWith("…")).toBe(true)
    expect(titleOf(`${"🦀".repeat(80)}`).isWellFormed()).toBe(true)
  })
})
