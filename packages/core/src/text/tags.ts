/**
 * All tags that Parlor adds to what a model is sent, and the escaping that keeps anything else from passing for one
 * (SEC-34). Pure.
 *
 * Content from people, tools, hooks, files, memories, MCP servers and attachments is escaped: whatever looks like one
 * of these tags, however disguised, gets a backslash after its bracket. If a model copies it into a tool call or a
 * reply, the backslash is removed again.
 */
import type { Json } from "../ports/json.ts"
import { lookalikesOf } from "./lookalikes.ts"

export const TAGS = [
  "from",
  "context",
  "attachment",
  "message",
  "skill",
  "notes",
  "note",
  "summary",
  "instructions",
] as const
export type Tag = (typeof TAGS)[number]

/** `unescapeTags` is the inverse of `escapeTags`. */
export const { escape: escapeTags, unescape: unescapeTags } = lookalikesOf(TAGS)

/** One of our tags around content that is already escaped. `attributes` begin with a space. */
export function tagged(tag: Tag, attributes: string, escaped: string): string {
  return `<${tag}${attributes}>${escaped}</${tag}>`
}

/** A text under construction: what Parlor writes, including tags, and what others wrote, unescaped. */
export type Piece = { readonly ours: string } | { readonly theirs: string }

/** Adjacent pieces by others are escaped together, because a tag may be split between them. */
export function written(pieces: readonly Piece[]): string {
  let text = ""
  let theirs = ""
  for (const piece of pieces) {
    if ("theirs" in piece) theirs += piece.theirs
    else {
      text += escapeTags(theirs) + piece.ours
      theirs = ""
    }
  }
  return text + escapeTags(theirs)
}

export function isBlank(pieces: readonly Piece[]): boolean {
  return pieces.every((piece) => ("theirs" in piece ? piece.theirs : piece.ours).trim() === "")
}

/** Including keys. */
export function escapeJson(value: Json): Json {
  return mapTexts(value, escapeTags)
}

export function unescapeJson(value: Json): Json {
  return mapTexts(value, unescapeTags)
}

function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === "string") return change(value)
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((item: Json) => mapTexts(item, change))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, Json]) => [change(key), mapTexts(item, change)]),
  )
}
