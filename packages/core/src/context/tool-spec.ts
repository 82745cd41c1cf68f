import { z } from "zod"
import type { Tool } from "../agent/agent.ts"
import type { ToolSpec } from "../ports/model.ts"

/** Of tools that take the same, and of one whose description changes. */
const SPECS_OF_ONE = 16

/**
 * Tools are made anew for each turn; each is described once, by the schema of what it takes. The same tool gives the
 * same object, so that whoever writes it out for a provider can keep that too.
 */
const specs = new WeakMap<object, ToolSpec[]>()

/** As much of a tool as a model is told. One that is only remembered has its schema ready. */
export type DescribedTool = Pick<Tool, "name" | "description" | "inputSchema"> & Partial<Pick<Tool, "input">>

export function toolSpec(tool: DescribedTool): ToolSpec {
  const { name, description } = tool
  const taken = tool.inputSchema ?? tool.input
  if (taken === undefined) return { name, description, inputSchema: {} }
  const described = specsOf(taken)
  const known = described.find((spec) => spec.name === name && spec.description === description)
  if (known !== undefined) return known
  const inputSchema = tool.inputSchema ?? described[0]?.inputSchema ?? jsonSchema(taken as z.ZodType)
  const spec = { name, description, inputSchema }
  if (described.length >= SPECS_OF_ONE) described.shift()
  described.push(spec)
  return spec
}

function specsOf(taken: object): ToolSpec[] {
  const known = specs.get(taken)
  if (known !== undefined) return known
  const fresh: ToolSpec[] = []
  specs.set(taken, fresh)
  return fresh
}

function jsonSchema(input: z.ZodType): ToolSpec["inputSchema"] {
  const { $schema: _, ...made } = z.toJSONSchema(input, { io: "input" })
  return made
}
