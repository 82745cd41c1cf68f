/** Asks as text, and the parsing of typed answers. Pure; safe for a terminal. */
import type { Answer } from "@parlor/client"
import { type AskRow, unreachable } from "@parlor/protocol"
import { Complaint } from "./complaint.ts"
import { plain } from "./plain.ts"

const YES = /^(?:y|yes|true|ok|allow)$/i
const NO = /^(?:n|no|false|refuse)$/i

/** The title, the details, and the numbered options. */
export function askLines(ask: AskRow): readonly string[] {
  const detail = ask.detail.trim() === "" ? [] : ask.detail.split("\n")
  const options = (ask.options ?? []).map((option, index) => `${index + 1}. ${option}`)
  const schema = ask.schema === null ? [] : [`fields: ${fieldsOf(ask)}`]
  return [ask.title, ...[...detail, ...options, ...schema].map((line) => `  ${line}`)].flatMap((line) =>
    plain(line).split("\n"),
  )
}

/** What to type, after the command `before` if plain text would be ambiguous. */
export function howToAnswer(ask: AskRow, before: string): string {
  if (ask.kind === "approval") return ask.options === null ? "y or n" : `y, n, or ${before} <number>`
  if (ask.kind === "form") return `${before} {"field": "value", …}`
  return ask.options === null ? `${before} <text>` : `a number from 1 to ${ask.options.length}`
}

/** Whether a line is unambiguously an answer to the ask; anything else is sent as a message (TRN-12). */
export function isPlainAnswer(ask: AskRow, line: string): boolean {
  const text = line.trim()
  if (ask.kind === "approval") return /^(?:y|n|yes|no)$/i.test(text)
  const count = ask.kind === "question" ? (ask.options?.length ?? 0) : 0
  return /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= count
}

export function readAnswer(ask: AskRow, typed: string): Answer {
  const text = typed.trim()
  switch (ask.kind) {
    case "approval":
      if (YES.test(text)) return true
      if (NO.test(text)) return false
      if (ask.options !== null) return choice(ask, text)
      throw new Complaint("Answer yes or no.")
    case "question":
      return choice(ask, text)
    case "form":
      return form(text)
    default:
      return unreachable(ask.kind)
  }
}

/** The ask a person means: its number in the list, or its id. */
export function findAsk(asks: readonly AskRow[], ref: string): AskRow {
  const found = asks.find((ask) => ask.id === ref) ?? (/^\d+$/.test(ref) ? asks[Number(ref) - 1] : undefined)
  if (found !== undefined) return found
  throw new Complaint(
    asks.length === 0
      ? "There are no open questions."
      : `There is no question ${plain(ref)}. Open questions: ${asks.length}.`,
  )
}

function choice(ask: AskRow, text: string): Answer {
  if (text === "") throw new Complaint("The answer is empty.")
  const { options } = ask
  if (options === null) return text
  const same = options.find((option) => option === text) ?? options.find((option) => isAlike(option, text))
  const numbered = /^\d+$/.test(text) ? options[Number(text) - 1] : undefined
  const chosen = same ?? numbered
  if (chosen !== undefined) return chosen
  throw new Complaint(`Answer with a number from 1 to ${options.length}, or with one of: ${plain(options.join(", "))}.`)
}

function form(text: string): Answer {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Answer
  } catch {}
  throw new Complaint('Answer with a JSON object of the fields, such as {"name": "Ada"}.')
}

function isAlike(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

function fieldsOf({ schema }: AskRow): string {
  const properties =
    typeof schema === "object" && schema !== null && !Array.isArray(schema) ? schema.properties : undefined
  if (typeof properties !== "object" || properties === null || Array.isArray(properties)) return JSON.stringify(schema)
  return Object.entries(properties)
    .map(([name, field]) => {
      const type = typeof field === "object" && field !== null && !Array.isArray(field) ? field.type : undefined
      return typeof type === "string" ? `${name} (${type})` : name
    })
    .join(", ")
}
