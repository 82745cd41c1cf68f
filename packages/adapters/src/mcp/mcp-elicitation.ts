/**
 * An ask as an MCP elicitation, and the response as its answer.
 *
 * A client shows a flat form of strings, numbers, booleans and choices. Any other form is sent as one text
 * field with JSON.
 */
import { type AskRow, Refusal } from "@parlor/protocol"
import { z } from "zod"

type Field = Readonly<Record<string, unknown>>
export type Elicitation = {
  readonly message: string
  readonly requestedSchema: {
    readonly type: "object"
    readonly properties: Readonly<Record<string, Field>>
    readonly required: readonly string[]
  }
}

/** The person's response: `decline` means no, `cancel` means the dialog was closed without an answer. */
export type Elicited = {
  readonly action: "accept" | "decline" | "cancel"
  readonly content?: Readonly<Record<string, unknown>> | undefined
}

type JsonValue = z.infer<ReturnType<typeof z.json>>

const MAX_MESSAGE = 4_000

export function elicitationOf(ask: AskRow): Elicitation {
  const message = [ask.title, ask.detail]
    .filter((part) => part !== "")
    .join("\n\n")
    .slice(0, MAX_MESSAGE)
    .toWellFormed()
  return { message, requestedSchema: schemaOf(ask) }
}

/** The answer to store, or undefined if there is none. Only an approval can be declined; other asks stay open. */
export function answerOf(ask: AskRow, { action, content = {} }: Elicited): JsonValue | undefined {
  if (action === "cancel") return undefined
  if (action === "decline") return ask.kind === "approval" ? false : undefined
  if (ask.kind === "approval") return content.allow === true
  if (ask.kind === "form" && flatForm(ask.schema) !== undefined) return content as JsonValue
  const text = typeof content.answer === "string" ? content.answer : ""
  return ask.kind === "form" ? parsedForm(text) : text
}

function schemaOf(ask: AskRow): Elicitation["requestedSchema"] {
  if (ask.kind === "approval") return oneField("allow", { type: "boolean", title: "Allow" })
  if (ask.kind === "form") {
    const description = `JSON that matches this schema: ${JSON.stringify(ask.schema)}`.slice(0, MAX_MESSAGE)
    return flatForm(ask.schema) ?? oneField("answer", { type: "string", title: "Answer as JSON", description })
  }
  const choice = ask.options === null ? { minLength: 1 } : { enum: [...ask.options] }
  return oneField("answer", { type: "string", title: "Answer", ...choice })
}

function oneField(name: string, field: Field): Elicitation["requestedSchema"] {
  return { type: "object", properties: { [name]: field }, required: [name] }
}

const named = { title: z.string().optional(), description: z.string().optional() }
const flatField = z.union([
  z.strictObject({
    type: z.literal("string"),
    ...named,
    enum: z.array(z.string()).min(1),
    default: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal("string"),
    ...named,
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
    format: z.enum(["email", "uri", "date", "date-time"]).optional(),
    default: z.string().optional(),
  }),
  z.strictObject({
    type: z.enum(["number", "integer"]),
    ...named,
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    default: z.number().optional(),
  }),
  z.strictObject({ type: z.literal("boolean"), ...named, default: z.boolean().optional() }),
])
const flatSchema = z.object({
  type: z.literal("object"),
  properties: z.record(z.string(), flatField),
  required: z.array(z.string()).default([]),
})

function flatForm(schema: AskRow["schema"]): Elicitation["requestedSchema"] | undefined {
  const { success, data } = flatSchema.safeParse(schema)
  return success ? data : undefined
}

function parsedForm(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    throw new Refusal("ask.invalid", "The answer is not valid JSON.", "/answer")
  }
}
