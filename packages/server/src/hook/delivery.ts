/** A delivery as templates and handlers see it: its body, and the headers that are safe to keep. */
import type { Json } from "@parlor/core"
import { limits, Refusal } from "@parlor/protocol"
import { decodeText, parseJson } from "../http/json.ts"

/** No credentials, no addresses, nothing that a proxy adds. */
const SAFE_HEADERS = [
  "content-type",
  "user-agent",
  "webhook-id",
  "webhook-timestamp",
  "x-github-event",
  "x-github-delivery",
  "x-gitea-event",
  "x-gitea-delivery",
  "x-gitlab-event",
  "x-event-key",
  "x-event-type",
  "ce-id",
  "ce-type",
  "ce-source",
  "ce-subject",
] as const

const MAX_FIELDS = 1_000

type Header = (name: string) => string | undefined

export function safeHeaders(header: Header): Readonly<Record<string, string>> {
  return Object.fromEntries(
    SAFE_HEADERS.flatMap((name) => {
      const value = header(name)?.replace(/[^\x20-\x7e]/g, "")
      return value === undefined ? [] : [[name, value.slice(0, limits.triggerHeaderLength)]]
    }),
  )
}

/** JSON as its value, a form as its fields, anything else as its text. */
export function bodyOf(bytes: Uint8Array, header: Header): Json {
  const type = header("content-type")?.split(";", 1)[0]?.trim().toLowerCase() ?? ""
  if (/[/+]json$/.test(type)) return parseJson(bytes) as Json
  const text = decodeText(bytes)
  if (type === "application/x-www-form-urlencoded") return fieldsOf(text)
  if (text.includes("\0")) throw new Refusal("text.malformed", "The body contains a NUL character.")
  return /^\s*[{[]/.test(text) ? (parsed(bytes) ?? text) : text
}

/** Some senders put JSON into a form field. */
function fieldsOf(text: string): Json {
  const fields: Record<string, Json> = Object.create(null)
  let count = 0
  for (const [name, value] of new URLSearchParams(text)) {
    if (++count > MAX_FIELDS) throw new Refusal("request.too-many", `A form has at most ${MAX_FIELDS} fields.`)
    if (`${name}${value}`.includes("\0")) throw new Refusal("text.malformed", "The form contains a NUL character.")
    fields[name] = name === "payload" ? (parsed(new TextEncoder().encode(value)) ?? value) : value
  }
  return { ...fields }
}

function parsed(bytes: Uint8Array): Json | undefined {
  try {
    return parseJson(bytes) as Json
  } catch {
    return undefined
  }
}
