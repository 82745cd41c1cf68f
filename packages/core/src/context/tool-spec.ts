import { z } from "zod"
import type { Tool } from "../agent/agent.ts"
import type { ToolSpec } from "../ports/model.ts"

export function toolSpec(tool: Tool): ToolSpec {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(tool.input, { io: "input" })
  return { name: tool.name, description: tool.description, inputSchema }
}
