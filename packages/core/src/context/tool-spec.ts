import { z } from "zod"
import type { Tool } from "../agent/agent.ts"
import type { ToolSpec } from "../ports/model.ts"

/** Tools are made anew for each turn; what they take is described once. */
const schemas = new WeakMap<z.ZodType, ToolSpec["inputSchema"]>()

/** As much of a tool as a model is told. One that is only remembered has its schema ready. */
export type DescribedTool = Pick<Tool, "name" | "description" | "inputSchema"> & Partial<Pick<Tool, "input">>

export function toolSpec(tool: DescribedTool): ToolSpec {
  const { name, description } = tool
  return {
    name,
    description,
    inputSchema: tool.inputSchema ?? (tool.input === undefined ? {} : inputSchema(tool.input)),
  }
}

function inputSchema(input: z.ZodType): ToolSpec["inputSchema"] {
  const known = schemas.get(input)
  if (known !== undefined) return known
  const { $schema: _, ...made } = z.toJSONSchema(input, { io: "input" })
  schemas.set(input, made)
  return made
}
