/**
 * The schemas of the document: every named schema once, in `components` (API-15).
 *
 * Responses are added before requests. A schema that reads differently in a request, because defaults are optional
 * there, gets a second name that ends in `Input`.
 */
import { z } from "zod"
import { schemaNames } from "./schema-names.ts"

export type JsonSchema = { readonly [key: string]: unknown }
type Io = "input" | "output"

const DEFS = "#/$defs/"
const COMPONENTS = "#/components/schemas/"
const JSON_VALUE: JsonSchema = { $ref: `${COMPONENTS}JsonValue` }

/** Where `{}` would say nothing. It does not refer to itself: some generators cannot express that. */
const jsonValue: JsonSchema = {
  description: "Any JSON value",
  anyOf: [
    { type: "string" },
    { type: "number" },
    { type: "boolean" },
    { type: "null" },
    { type: "array", items: { description: "Any JSON value" } },
    { type: "object", additionalProperties: true },
  ],
}

export class Schemas {
  readonly #components = new Map<string, JsonSchema>([["JsonValue", jsonValue]])

  /** The schema, with named schemas in it as references. */
  add(schema: z.ZodType, io: Io): JsonSchema {
    const { properties, $defs = {} } = z.toJSONSchema(z.object({ it: schema }), {
      io,
      metadata: schemaNames,
      unrepresentable: "any",
      override: ({ zodSchema, jsonSchema }) => fillIn(zodSchema, jsonSchema, io),
    })
    const made = Object.entries($defs).map(([name, def]) => [name, plain(def, io)] as const)
    const anyJson = new Set(made.filter(([, def]) => isAnyJson(def)).map(([name]) => name))
    const withJson = (def: JsonSchema) => referring(def, (name) => (anyJson.has(name) ? "JsonValue" : name))
    const defs = new Map(made.filter(([name]) => !anyJson.has(name)).map(([name, def]) => [name, withJson(def)]))
    const names = this.#renamed(defs)
    const target = (name: string) => names.get(name) ?? name
    for (const [name, def] of defs) this.#components.set(target(name), referring(def, target))
    return referring(withJson(plain(properties?.it, io)), target)
  }

  /** The same, but an object without a name gets this one. */
  addNamed(schema: z.ZodType, io: Io, name: string): JsonSchema {
    const added = this.add(schema, io)
    if (added.$ref !== undefined) return added
    this.#components.set(name, added)
    return { $ref: COMPONENTS + name }
  }

  get components(): JsonSchema {
    return Object.fromEntries([...this.#components].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** New names for definitions that differ from what has their name, and for those that refer to them. */
  #renamed(defs: ReadonlyMap<string, JsonSchema>): ReadonlyMap<string, string> {
    const differs = new Set<string>()
    for (let size = -1; size !== differs.size; ) {
      size = differs.size
      for (const [name, def] of defs) {
        const known = this.#components.get(name)
        const now = referring(def, (one) => (differs.has(one) ? `${one}Input` : one))
        if (known !== undefined && JSON.stringify(known) !== JSON.stringify(now)) differs.add(name)
      }
    }
    return new Map([...differs].map((name) => [name, `${name}Input`]))
  }
}

/** A transformed value is sent as it was before: ids are texts. */
function fillIn(zodSchema: z.core.$ZodTypes, jsonSchema: Record<string, unknown>, io: Io): void {
  const { def } = zodSchema._zod
  if (io === "input" || def.type !== "pipe" || Object.keys(jsonSchema).length > 0) return
  const { $schema: _, ...before } = z.toJSONSchema(def.in, { io: "input", unrepresentable: "any" })
  Object.assign(jsonSchema, before)
}

/** Without what says nothing, and with responses open to new fields. */
function plain(value: unknown, io: Io): JsonSchema {
  return walk(value, (schema) => {
    const { id: _, ...rest } = schema
    if (rest.minimum === Number.MIN_SAFE_INTEGER) delete rest.minimum
    if (rest.maximum === Number.MAX_SAFE_INTEGER) delete rest.maximum
    if (JSON.stringify(rest.propertyNames) === '{"type":"string"}') delete rest.propertyNames
    if (Array.isArray(rest.prefixItems)) Object.assign(rest, tupleOf(rest.prefixItems))
    // As the type of further fields, it would have to include the types of the known ones.
    if (rest.additionalProperties === JSON_VALUE) rest.additionalProperties = true
    if (io === "output" && rest.additionalProperties === false) delete rest.additionalProperties
    return Object.keys(rest).length === 0 ? JSON_VALUE : rest
  })
}

/** Every tuple here has items of one kind, and generators understand this better. */
function tupleOf(items: readonly unknown[]): JsonSchema {
  return { prefixItems: undefined, items: items[0], minItems: items.length, maxItems: items.length }
}

function referring(schema: JsonSchema, target: (name: string) => string): JsonSchema {
  return walk(schema, (one) => {
    const { $ref } = one
    if (typeof $ref !== "string") return one
    const name = $ref.startsWith(DEFS) ? $ref.slice(DEFS.length) : $ref.slice(COMPONENTS.length)
    return { ...one, $ref: COMPONENTS + target(name) }
  })
}

/** Each schema in it, from the inside out. Of `properties`, only the values are schemas. */
function walk(value: unknown, change: (schema: Record<string, unknown>) => Record<string, unknown>): JsonSchema {
  const inner = (one: unknown): unknown => (isObject(one) ? walk(one, change) : one)
  const entries = Object.entries(isObject(value) ? value : {}).map(([key, one]) => {
    if (key === "properties" && isObject(one))
      return [key, Object.fromEntries(Object.entries(one).map(([name, schema]) => [name, inner(schema)]))]
    if (SUBSCHEMAS.has(key)) return [key, Array.isArray(one) ? one.map(inner) : inner(one)]
    return [key, one]
  })
  return change(Object.fromEntries(entries))
}

const SUBSCHEMAS = new Set(["items", "prefixItems", "additionalProperties", "propertyNames", "anyOf", "oneOf", "allOf"])

/** What zod makes of `z.json()`. */
function isAnyJson({ anyOf }: JsonSchema): boolean {
  return Array.isArray(anyOf) && anyOf.length === jsonTypes.length && anyOf.every((one, i) => one.type === jsonTypes[i])
}
const jsonTypes = ["string", "number", "boolean", "null", "array", "object"]

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
