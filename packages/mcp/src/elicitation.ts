/**
 * What a server asks the person while one of its tools runs, as an ask of the conversation, and the answer as the server
 * expects it. Pure.
 *
 * The schema comes from a stranger, so only the fields and keywords that MCP allows are taken over: no patterns, no
 * references, no nesting.
 */
import type { Json, Question } from "@parlor/core"
import { z } from "zod"

const MAX_FIELDS = 50
const MAX_CHOICES = 200
const MAX_TEXT = 2_000

export type Elicited = { readonly action: "accept" | "cancel" | "decline"; readonly content?: Content }
type Content = Record<string, string | number | boolean | string[]>

/** Undefined if Parlor cannot ask this. A form without fields only asks for a yes or no. */
export function questionOf(server: string, params: unknown): Question | undefined {
  const parsed = elicitation.safeParse(params)
  if (!parsed.success) return undefined
  const { message, requestedSchema } = parsed.data
  const title = `The MCP server ${server} asks: ${clean(message)}`
  const fields = Object.entries(requestedSchema.properties)
  if (fields.length === 0) return { kind: "approval", title }
  const schema = {
    type: "object",
    properties: Object.fromEntries(fields.map(([name, one]) => [name, fieldOf(one)])),
    required: requestedSchema.required.filter((name) => name in requestedSchema.properties),
    additionalProperties: false,
  }
  return { kind: "form", title, schema: schema as Json }
}

/** `answer` is undefined if nobody answered: the ask expired, or nobody is there. */
export function elicitedBy({ kind }: Question, answer: Json | undefined): Elicited {
  if (answer === undefined) return { action: "cancel" }
  if (kind === "approval") return answer === true ? { action: "accept", content: {} } : { action: "decline" }
  return { action: "accept", content: answer as Content }
}

const text = z.string().max(MAX_TEXT)
const named = { title: text.optional(), description: text.optional() }
const choice = z.object({ const: text, title: text.optional() })
const choices = z.array(choice).min(1).max(MAX_CHOICES)
const values = z.array(text).min(1).max(MAX_CHOICES)
const bounds = { minItems: z.number().int().optional(), maxItems: z.number().int().optional() }

const field = z.union([
  z.object({ type: z.literal("string"), ...named, enum: values, default: text.optional() }),
  z.object({ type: z.literal("string"), ...named, oneOf: choices, default: text.optional() }),
  z.object({
    type: z.literal("string"),
    ...named,
    minLength: z.number().int().optional(),
    maxLength: z.number().int().optional(),
    format: z.enum(["email", "uri", "date", "date-time"]).optional(),
    default: text.optional(),
  }),
  z.object({
    type: z.enum(["number", "integer"]),
    ...named,
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    default: z.number().optional(),
  }),
  z.object({ type: z.literal("boolean"), ...named, default: z.boolean().optional() }),
  z.object({
    type: z.literal("array"),
    ...named,
    ...bounds,
    items: z.union([z.object({ enum: values }), z.object({ anyOf: choices })]),
    default: z.array(text).max(MAX_CHOICES).optional(),
  }),
])
type Field = z.infer<typeof field>

const elicitation = z.object({
  mode: z.literal("form").optional(),
  message: z.string(),
  requestedSchema: z.object({
    properties: z
      .record(z.string().min(1).max(MAX_TEXT), field)
      .refine((fields) => Object.keys(fields).length <= MAX_FIELDS),
    required: z.array(z.string()).max(MAX_FIELDS).default([]),
  }),
})

/** Named choices become plain ones; their names are added to the description. */
function fieldOf(one: Field): Json {
  if ("oneOf" in one) {
    const { oneOf, ...rest } = one
    return { ...rest, ...describedBy(one, oneOf), enum: oneOf.map(({ const: value }) => value) } as Json
  }
  if (one.type !== "array") return one as Json
  const { items, ...rest } = one
  if ("enum" in items) return { ...rest, items: { type: "string", enum: items.enum } } as Json
  const plain = { type: "string", enum: items.anyOf.map(({ const: value }) => value) }
  return { ...rest, ...describedBy(one, items.anyOf), items: plain } as Json
}

function describedBy({ description }: Pick<Field, "description">, named: z.infer<typeof choices>) {
  const names = named.map(({ const: value, title = value }) => `${value}: ${title}`).join("; ")
  return { description: [description, names].filter(Boolean).join(" ") }
}

function clean(message: string): string {
  return message.slice(0, MAX_TEXT).toWellFormed().replaceAll("\u0000", "")
}
