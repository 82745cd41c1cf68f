import { z } from "zod"
import type { Tool } from "../agent/agent.ts"
import type { ToolSpec } from "../ports/model.ts"
import { escapeTags } from "../text/tags.ts"

/** Specs cached per input schema: several tools may share one, and descriptions may change. */
const SPECS_OF_ONE = 16

/**
 * Tools are created again for each turn; each is described once per input schema. The same tool gives the same object,
 * so that providers can cache their own form of it.
 */
const specs = new WeakMap<object, ToolSpec[]>()

/** The part of a tool that a model is told. A recorded tool has its schema ready. */
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

/**
 * As sent: its descriptions may come from an MCP server, and are escaped like everything else from outside (SEC-34).
 */
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

/** Names and values stay unchanged: calls depend on them. */
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
