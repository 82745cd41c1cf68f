/**
 * The tags that Parlor puts into what a model is sent, all of them, and what keeps everything else from passing for one
 * (SEC-34). Pure.
 *
 * What people, tools, hooks, files, memories, MCP servers and attachments bring in is escaped: whatever looks like one of
 * these tags, however it is disguised, gets a backslash behind its bracket. What a model copies of that, into a tool call
 * or an answer, is read without the backslash again.
 */
import type { Json } from "../ports/json.ts"
import { lookalikesOf } from "./lookalikes.ts"

export const TAGS = ["from", "context", "attachment", "message", "notes", "note", "summary"] as const
export type Tag = (typeof TAGS)[number]

/** `unescapeTags` gives the text as it was before `escapeTags`. */
export const { escape: escapeTags, unescape: unescapeTags } = lookalikesOf(TAGS)

/** A tag of ours around a content that is escaped already. `attributes` begin with a space. */
export function tagged(tag: Tag, attributes: string, escaped: string): string {
  return `<${tag}${attributes}>${escaped}</${tag}>`
}

/** A text while it is put together: what Parlor writes, tags and all, and what others brought in, as they wrote it. */
export type Piece = { readonly ours: string } | { readonly theirs: string }

/** What others brought in is escaped together where nothing of ours stands between: a tag may be cut into two pieces. */
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

/** Keys included. */
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
