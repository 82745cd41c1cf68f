/** A form's fields from its JSON schema, and its answer from what was entered. Pure. */

import { t } from "../../texts/en/ask.ts"
import type { Json } from "./askView.ts"

export type Field = {
  readonly name: string
  readonly label: string
  readonly hint: string
  readonly required: boolean
  readonly initial: Entry
} & (
  | { readonly kind: "text" | "number" | "integer" | "yes-no" }
  | { readonly kind: "choice"; readonly options: readonly string[] }
)

export type Entry = string | boolean
export type Entries = Readonly<Record<string, Entry>>
export type Filled =
  | { readonly ok: true; readonly answer: { [name: string]: Json } }
  | { readonly ok: false; readonly name: string; readonly why: string }

/** Undefined when the schema has something without a matching field: then the form is filled in as JSON. */
export function fieldsOf(schema: Json): readonly Field[] | undefined {
  if (!isObject(schema) || !isObject(schema.properties)) return undefined
  const required = Array.isArray(schema.required) ? schema.required : []
  const fields = Object.entries(schema.properties).map(([name, it]) => fieldOf(name, it, required.includes(name)))
  return fields.length > 0 && fields.every((field) => field !== undefined) ? fields : undefined
}

export function entriesOf(fields: readonly Field[]): Entries {
  return Object.fromEntries(fields.map((field) => [field.name, field.initial]))
}

/** Empty fields are omitted, so that the schema's defaults apply. */
export function filledIn(fields: readonly Field[], entries: Entries): Filled {
  const answer: { [name: string]: Json } = {}
  for (const field of fields) {
    const entry = entries[field.name] ?? field.initial
    if (typeof entry === "boolean") {
      answer[field.name] = entry
      continue
    }
    if (entry.trim() === "") {
      if (field.required) return { ok: false, name: field.name, why: t("labelIsRequired", { label: field.label }) }
      continue
    }
    if (field.kind !== "number" && field.kind !== "integer") {
      answer[field.name] = entry
      continue
    }
    const number = Number(entry)
    if (!Number.isFinite(number))
      return { ok: false, name: field.name, why: t("labelMustBeANumber", { label: field.label }) }
    if (field.kind === "integer" && !Number.isInteger(number))
      return { ok: false, name: field.name, why: t("labelMustBeAWhole", { label: field.label }) }
    answer[field.name] = number
  }
  return { ok: true, answer }
}

/** Parses the answer of a form without fields: it must be a JSON object. */
export function parsedForm(text: string): Filled {
  try {
    const value = JSON.parse(text) as Json
    if (isObject(value)) return { ok: true, answer: value }
  } catch {
    // Reported below: the advice is the same for every parse error.
  }
  return { ok: false, name: "", why: t("enterAJsonObjectSuch", { example: '{"name": "value"}' }) }
}

function fieldOf(name: string, it: Json | undefined, required: boolean): Field | undefined {
  if (!isObject(it)) return undefined
  const label = typeof it.title === "string" && it.title.trim() !== "" ? it.title : name
  const hint = typeof it.description === "string" ? it.description : ""
  const preset = typeof it.default === "string" || typeof it.default === "number" ? String(it.default) : ""
  const base = { name, label, hint, required, initial: preset }
  if (Array.isArray(it.enum)) return choiceOf(base, it.enum)
  if (it.type === "string") return { ...base, kind: "text" }
  if (it.type === "number" || it.type === "integer") return { ...base, kind: it.type }
  if (it.type === "boolean") return { ...base, kind: "yes-no", initial: it.default === true }
  return undefined
}

type Base = Pick<Field, "name" | "label" | "hint" | "required" | "initial">

function choiceOf(base: Base, values: readonly Json[]): Field | undefined {
  const options = values.filter((value) => typeof value === "string")
  return options.length === values.length && options.length > 0 ? { ...base, kind: "choice", options } : undefined
}

function isObject(value: unknown): value is { [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
