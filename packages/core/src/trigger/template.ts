/**
 * The message that a delivery becomes (TRG-5). Pure.
 *
 * `{{body.pull_request.title}}` and `{{body.items[0].name}}` are taken from a JSON body, `{{body}}` is all of it,
 * `{{headers.x-github-event}}` one of the safe headers, `{{id}}` the delivery's id. Missing values are empty. Inserted
 * values are text: no invisible characters, no commands, no mentions, and never placeholders.
 */
import { limits } from "@parlor/protocol"
import type { Json } from "../ports/json.ts"

export type Delivery = {
  readonly id: string
  /** Parsed JSON, or the text of any other body. */
  readonly body: Json
  readonly headers: Readonly<Record<string, string>>
  /** The hash of the signed bytes, if the signature does not cover the id. */
  readonly bodyHash?: string
}

/** Longer paths are not placeholders. */
const MAX_PATH = 300
/** `.name` or `[0]`. */
const STEP = /\.([^.[\]]+)|\[(\d{1,6})\]/gy
const BRACES = /\{+|\}+/g
const CUT = "…"
/**
 * Invisible characters could hide something from a reader. Line ends, tabs and joiners are kept.
 */
const KEPT = String.raw`\n\t\u200c\u200d`
const UNSEEN = new RegExp(String.raw`[[\p{Cc}\p{Cf}\p{Co}]--[${KEPT}]]`, "gv")

export function filledIn(template: string, delivery: Delivery): string {
  let left: number = limits.hookTextLength
  let filled = ""
  let at = 0
  for (const { start, end, path } of placesIn(template)) {
    const text = cut(valueAt(path, delivery), Math.min(left, limits.hookValueLength))
    left -= text.length
    filled += template.slice(at, start) + text
    at = end
  }
  return cut(filled + template.slice(at), limits.hookTextLength)
}

type Place = { readonly start: number; readonly end: number; readonly path: string }

/**
 * One pass, so that the time is proportional to the template's length: only an opening pair of braces directly followed
 * by a closing pair is a placeholder.
 */
function* placesIn(template: string): Generator<Place> {
  let open: number | undefined
  for (const { index, 0: braces } of template.matchAll(BRACES)) {
    const path = open === undefined || braces[0] === "{" ? "" : template.slice(open, index).trim()
    if (open !== undefined && path !== "" && path.length <= MAX_PATH && braces.length >= 2)
      yield { start: open - 2, end: index + 2, path }
    open = braces.startsWith("{{") ? index + braces.length : undefined
  }
}

function valueAt(path: string, { id, body, headers }: Delivery): string {
  if (path === "id") return shown(id)
  if (path.startsWith("headers.")) {
    const name = path.slice("headers.".length).toLowerCase()
    return Object.hasOwn(headers, name) ? shown(headers[name] ?? "") : ""
  }
  if (!path.startsWith("body")) return ""
  return shown(follow(body, path.slice("body".length)))
}

function follow(from: Json, steps: string): Json | undefined {
  let value: Json | undefined = from
  let end = 0
  for (const { 0: whole, 1: name, 2: place } of steps.matchAll(STEP)) {
    end += whole.length
    value = name === undefined ? itemOf(value, Number(place)) : fieldOf(value, name)
  }
  return end === steps.length ? value : undefined
}

function fieldOf(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== "object" || value === null) return undefined
  if (Array.isArray(value)) return /^\d{1,6}$/.test(name) ? value[Number(name)] : undefined
  const fields = value as Readonly<Record<string, Json>>
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

function itemOf(value: Json | undefined, index: number): Json | undefined {
  return Array.isArray(value) ? (value as readonly Json[])[index] : undefined
}

function shown(value: Json | undefined): string {
  if (value === undefined || value === null) return ""
  const text = typeof value === "string" ? value : JSON.stringify(value)
  return plain(cut(text, limits.hookValueLength * 2))
}

function plain(text: string): string {
  const lines = text.replaceAll("\r\n", "\n").replace(/[\r\u2028\u2029]/g, "\n")
  return lines.replace(UNSEEN, "").toWellFormed()
}

function cut(text: string, length: number): string {
  if (text.length <= length) return text
  return `${text.slice(0, Math.max(0, length - CUT.length)).toWellFormed()}${CUT}`
}
