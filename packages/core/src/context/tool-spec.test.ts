import { describe, expect, it } from "vitest"
import { z } from "zod"
import { defineTool, type Tool } from "../agent/tool.ts"
import { toolSpec } from "./tool-spec.ts"

function tool(name: string, description: string, input: z.ZodType): Tool {
  return defineTool({ name, description, input, repeatable: true, run: async () => null })
}

describe("how a tool is described to a model", () => {
  const path = z.object({ path: z.string() })

  it("a tool that is created again is described by the same object", () => {
    const spec = toolSpec(tool("read", "Reads.", path))
    expect(spec).toEqual({
      name: "read",
      description: "Reads.",
      inputSchema: expect.objectContaining({ type: "object", required: ["path"] }),
    })
    expect(toolSpec(tool("read", "Reads.", path))).toBe(spec)
  })

  it("tools with the same input are distinguished, and so is one whose description changed", () => {
    const [read, drop] = [toolSpec(tool("read", "Reads.", path)), toolSpec(tool("drop", "Drops.", path))]
    expect([read.name, drop.name, drop.description]).toEqual(["read", "drop", "Drops."])
    expect(drop.inputSchema).toBe(read.inputSchema)
    expect(toolSpec(tool("read", "Reads more.", path)).description).toBe("Reads more.")
    for (let n = 0; n < 50; n++) expect(toolSpec(tool("read", `Reads ${n}.`, path)).description).toBe(`Reads ${n}.`)
    expect(toolSpec(tool("read", "Reads.", path))).toEqual(read)
  })

  it("a schema given with the tool is used as is", () => {
    const inputSchema = { type: "object", properties: { a: { type: "number" } } }
    const lent = { ...tool("lent", "Lent.", z.any()), inputSchema }
    expect(toolSpec(lent).inputSchema).toBe(inputSchema)
    expect(toolSpec({ ...lent })).toBe(toolSpec(lent))
  })
})
