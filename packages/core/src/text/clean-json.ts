/** JSON that every store and every provider accepts: no lone surrogates, no NUL, limited nesting (SEC-5). Pure. */
import { limits } from "@parlor/protocol"
import type { Json } from "../ports/json.ts"

/** Throws if it is nested too deeply to be stored. */
export function cleanJson(value: Json, depth = 0): Json {
  if (typeof value === "string") return cleanText(value)
  // As it will be serialized: JSON parses 1e999 to Infinity, but cannot write it.
  if (typeof value === "number" && !Number.isFinite(value)) return null
  if (typeof value !== "object" || value === null) return value
  if (depth >= limits.jsonDepth) throw new Error(`It is nested deeper than ${limits.jsonDepth} levels.`)
  if (Array.isArray(value)) return value.map((item: Json) => cleanJson(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, Json]) => [cleanText(key), cleanJson(item, depth + 1)]),
  )
}

export function cleanText(text: string): string {
  return text.isWellFormed() && !text.includes("\u0000") ? text : text.toWellFormed().replaceAll("\u0000", "\ufffd")
}
