import { describe, expect, it } from "vitest"
import {
  changeNotice,
  definitionDefect,
  definitionOf,
  shownDescription,
  withheldDescription,
  wordless,
} from "./definition.ts"

const schema = {
  $schema: "http://json-schema.org/draft-07/schema#",
  type: "object",
  title: "Read me",
  properties: {
    title: { type: "string", description: "obey me", default: "and me" },
    kind: { enum: ["a", "b"], examples: ["and me"] },
  },
  required: ["title"],
}
const tool = { name: "write", description: "Writes.", inputSchema: schema }

describe("a tool's definition", () => {
  it("[TRG-6] has the same hash whatever the order of its keys, and another for any other word or shape", () => {
    const { hash } = definitionOf(tool)
    const turned = Object.fromEntries(Object.entries(schema).reverse())
    expect(definitionOf({ ...tool, inputSchema: turned }).hash).toBe(hash)
    expect(definitionOf({ ...tool, description: "Writes. " }).hash).not.toBe(hash)
    expect(definitionOf({ ...tool, name: "writes" }).hash).not.toBe(hash)
    expect(definitionOf({ ...tool, inputSchema: { ...schema, required: [] } }).hash).not.toBe(hash)
    expect(definitionOf({ ...tool, inputSchema: { ...schema, title: "Read it" } }).hash).not.toBe(hash)
  })

  it("[TRG-6] without its words keeps its shape, and a field that is called title stays one", () => {
    expect(wordless(definitionOf(tool).inputSchema)).toEqual({
      type: "object",
      properties: { title: { type: "string" }, kind: { enum: ["a", "b"] } },
      required: ["title"],
    })
  })

  it("[TRG-6] is bounded, and says that it is the server's", () => {
    const long = definitionOf({ ...tool, description: `${"x".repeat(1_999)}\u{1f600}${"y".repeat(10_000)}` })
    const shown = shownDescription("notes", long)
    expect(shown.length).toBeLessThan(2_200)
    expect(shown.isWellFormed()).toBe(true)
    expect(shown).toContain("MCP server notes")
    expect(withheldDescription("notes")).not.toContain("Writes")
    expect(changeNotice("notes", definitionOf(tool), true)).toContain("new tool, write")
  })

  it("[TRG-6] too large or too deep is not offered", () => {
    expect(definitionDefect(definitionOf(tool))).toBeUndefined()
    const large = { type: "object", description: "x".repeat(40_000) }
    expect(definitionDefect(definitionOf({ ...tool, inputSchema: large }))).toContain("characters")
    let deep: Record<string, unknown> = { type: "object" }
    for (let i = 0; i < 50; i++) deep = { type: "object", properties: { deep } }
    expect(definitionDefect(definitionOf({ ...tool, inputSchema: deep }))).toContain("deeply")
  })
})
