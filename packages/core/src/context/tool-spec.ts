import { z } from "zod"
import type { Tool } from "../agent/agent.ts"
import type { ToolSpec } from "../ports/model.ts"

/** Tools are made anew for each turn; what they take is described once. */
const schemas = new WeakMap<z.ZodType, ToolSpec["inputSchema"]>()

export function toolSpec(tool: Tool): ToolSpec {
  return { name: tool.name, description: tool.description, inputSchema: tool.inputSchema ?? inputSchema(tool.input) }
}

function inputSchema(input: z.ZodType): ToolSpec["inputSchema"] {
  const known = schemas.get(input)
  if (known !== undefined) return known
  const { $schema: _, ...made } = z.toJSONSchema(input, { io: "input" })
  schemas.set(input, made)
  return made
}
