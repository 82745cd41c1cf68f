/**
 * A memory as a markdown file with front matter, and back (MEM-7). Pure: `parseMemory(printMemory(memory))` is the
 * same memory, whatever its content.
 *
 * The front matter is a small subset of YAML with one line per field: plain text, "double quotes" as in JSON, or
 * 'single quotes'. After it comes one empty line, the body, and a newline; both may be missing.
 * Who wrote a memory and when is not in the file: an imported memory belongs to whoever imports it.
 */
import { type Memory, memoryName, memoryText } from "@parlor/protocol"
import { Complaint } from "./complaint.ts"

export type FileMemory = Pick<Memory, "name" | "description" | "type" | "pinned" | "body">

const FENCE = "---"
const FIELDS = ["name", "description", "type", "pinned"] as const
type Field = (typeof FIELDS)[number]

export function printMemory({ name, description, type, pinned, body }: FileMemory): string {
  const head = [
    FENCE,
    `name: ${scalar(name)}`,
    `description: ${scalar(description)}`,
    `type: ${scalar(type)}`,
    ...(pinned ? ["pinned: true"] : []),
    FENCE,
  ]
  return `${head.join("\n")}\n${body === "" ? "" : `\n${body}\n`}`
}

/** `name` is the file name; a name inside must be the same. Errors give the file and the line. */
export function parseMemory(
  source: string,
  { file, name }: { readonly file: string; readonly name: string },
): FileMemory {
  const complain = (line: number, words: string) => new Complaint(`${file}:${line}: ${words}`)
  const text = unixLines(source.replace(/^\ufeff/, ""))
  const { fields, lines, body } = split(text, complain)
  const lineOf = (field: string) => lines.get(field as Field) ?? (field === "body" ? fenceLine(text) + 1 : 1)
  const inside = fields.get("name") ?? name
  if (inside !== name) throw complain(lineOf("name"), `The name is "${inside}", but the file is called "${name}".`)
  if (!memoryName.safeParse(name).success)
    throw complain(
      lineOf("name"),
      `"${name}" is not a valid name. Use lowercase letters, digits and single hyphens between them.`,
    )
  const missing = (["description", "type"] as const).find((field) => !fields.has(field))
  if (missing !== undefined) throw complain(1, `The field "${missing}" is missing.`)
  const pinned = fields.get("pinned") ?? "false"
  if (pinned !== "true" && pinned !== "false") throw complain(lineOf("pinned"), '"pinned" must be true or false.')
  const fitted = memoryText.safeParse({ description: fields.get("description"), type: fields.get("type"), body })
  if (fitted.success) return { ...fitted.data, name, pinned: pinned === "true" }
  const [issue] = fitted.error.issues
  const field = String(issue?.path[0] ?? "")
  throw complain(lineOf(field), `${field}: ${issue?.message ?? "Not valid."}`)
}

type Split = {
  readonly fields: ReadonlyMap<Field, string>
  readonly lines: ReadonlyMap<Field, number>
  readonly body: string
}

function split(text: string, complain: (line: number, words: string) => Complaint): Split {
  const fields = new Map<Field, string>()
  const lines = new Map<Field, number>()
  const end = fenceLine(text)
  if (end === 0) throw complain(1, `The file must begin with front matter between two lines of "${FENCE}".`)
  const all = text.split("\n")
  for (const [index, line] of all.slice(1, end - 1).entries()) {
    const at = index + 2
    if (/^[ \t]*(?:#.*)?$/.test(line)) continue
    const [, key, given] = /^(\w+):(?:[ \t](.*)|)$/s.exec(line) ?? []
    const field = FIELDS.find((known) => known === key)
    if (field === undefined) throw complain(at, `Unknown field. Use: ${FIELDS.join(", ")}.`)
    if (fields.has(field)) throw complain(at, `The field "${field}" appears twice.`)
    const read = unquoted((given ?? "").replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, ""))
    if (read === undefined) throw complain(at, `The value of "${field}" cannot be parsed. Put it in "double quotes".`)
    fields.set(field, read)
    lines.set(field, at)
  }
  const rest = all.slice(end).join("\n")
  return { fields, lines, body: rest.replace(/^\n/, "").replace(/\n$/, "") }
}

/** The number of the line that ends the front matter; 0 if there is none. */
function fenceLine(text: string): number {
  const lines = text.split("\n")
  if (!isFence(lines[0])) return 0
  const end = lines.findIndex((line, index) => index > 0 && isFence(line))
  return end === -1 ? 0 : end + 1
}

function isFence(line: string | undefined): boolean {
  return line !== undefined && /^---[ \t]*$/.test(line)
}

/** Converts a file saved with CRLF throughout; a body that merely contains some is left unchanged. */
function unixLines(text: string): string {
  return text.startsWith(`${FENCE}\r\n`) ? text.replaceAll("\r\n", "\n") : text
}

/** Text that every YAML parser reads the same without quotes is written without them. */
function scalar(text: string): string {
  const isPlain =
    /^\p{L}(?:.*[^\s:])?$/u.test(text) && !/: | #/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text)
  return isPlain ? text : JSON.stringify(text)
}

function unquoted(value: string): string | undefined {
  if (value.startsWith('"')) return parsedText(value)
  if (value.startsWith("'")) {
    const inner = /^'((?:[^']|'')*)'$/s.exec(value)?.[1]
    return inner?.replaceAll("''", "'")
  }
  return /^[|>[\]{}&*!%@`#?,-]|: |:$|[ \t]#/.test(value) ? undefined : value
}

function parsedText(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === "string" ? value : undefined
  } catch {
    return undefined
  }
}
