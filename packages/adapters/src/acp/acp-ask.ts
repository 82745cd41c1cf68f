/** An agent's ask in ACP: approvals as permission requests, questions and forms as elicitations. */
import type { AskRow } from "@parlor/protocol"

type AcpPermissionOption = {
  readonly optionId: "allow" | "deny"
  readonly name: string
  readonly kind: "allow_once" | "reject_once"
}

export const acpPermissionOptions: readonly AcpPermissionOption[] = [
  { optionId: "allow", name: "Allow", kind: "allow_once" },
  { optionId: "deny", name: "Deny", kind: "reject_once" },
]

/** The title, the details and the numbered options, for clients that can only show text. */
export function acpAskText({
  title,
  detail,
  options,
  schema,
}: Pick<AskRow, "title" | "detail" | "options" | "schema">): string {
  const choices = (options ?? []).map((option, index) => `${index + 1}. ${option}`)
  const form = schema === null ? [] : ["Answer with a JSON object that matches this schema:", JSON.stringify(schema)]
  return [title, ...(detail === "" ? [] : [detail]), ...choices, ...form].join("\n")
}

export type AcpForm = {
  readonly message: string
  readonly requestedSchema: {
    readonly type: "object"
    readonly properties: Readonly<Record<string, AcpField>>
    readonly required: string[]
  }
}
type AcpField = { readonly type: string; readonly [more: string]: unknown }

const ANSWER = "answer"
const SCALARS: ReadonlySet<string> = new Set(["string", "number", "integer", "boolean"])

/** The form to fill in; undefined if it has fields that ACP cannot describe. */
export function acpForm({ kind, title, detail, options, schema }: AskRow): AcpForm | undefined {
  const message = detail === "" ? title : `${title}\n${detail}`
  if (kind === "question") {
    const field = { type: "string", title, ...(options === null ? {} : { enum: options }) }
    return { message, requestedSchema: { type: "object", properties: { [ANSWER]: field }, required: [ANSWER] } }
  }
  if (kind !== "form" || !isRecord(schema) || !isRecord(schema.properties)) return undefined
  const properties: Record<string, AcpField> = {}
  for (const [name, field] of Object.entries(schema.properties)) {
    if (!isRecord(field) || typeof field.type !== "string" || !SCALARS.has(field.type)) return undefined
    properties[name] = { ...field, type: field.type }
  }
  const required = Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === "string") : []
  return { message, requestedSchema: { type: "object", properties, required } }
}

/** Extracts the answer to an ask from the form that the client returns. */
export function acpFormAnswer({ kind }: Pick<AskRow, "kind">, content: Readonly<Record<string, unknown>>): unknown {
  return kind === "question" ? content[ANSWER] : content
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
