import { z } from "zod"
import type { Tool } from "../agent/agent.ts"
import type { ToolSpec } from "../ports/model.ts"
import { escapeTags } from "../text/tags.ts"

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

const harmless = new WeakMap<ToolSpec, ToolSpec>()

/** As it is sent: what it says in words may come from an MCP server, and is escaped like all else from outside (SEC-34). */
export function harmlessSpec(spec: ToolSpec): ToolSpec {
  const known = harmless.get(spec)
  if (known !== undefined) return known
  const { name, description, inputSchema } = spec
  const text = JSON.stringify([description, inputSchema])
  const made =
    escapeTags(text) === text
      ? spec
      : { name, description: escapeTags(description), inputSchema: withHarmlessWords(inputSchema) }
  harmless.set(spec, made)
  return made
}

const WORDS: ReadonlySet<string> = new Set(["description", "title", "$comment"])

/** Names and values stay: the tool goes by them. */
function withHarmlessWords<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(withHarmlessWords) as T
  if (typeof schema !== "object" || schema === null) return schema
  const entries = Object.entries(schema).map(([key, value]: [string, unknown]) => [
    key,
    WORDS.has(key) && typeof value === "string" ? escapeTags(value) : withHarmlessWords(value),
  ])
  return Object.fromEntries(entries) as T
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
