/** The cursor of a list that is read from its newest row down: the position of the last row that was returned. */
import { Refusal, textDefect } from "@parlor/protocol"
import type { StoredRow } from "../ports/store.ts"

export type RowPlace = { readonly before: number; readonly beforeKey: string }

export function rowPlace(row: StoredRow): RowPlace {
  return { before: row.ord ?? 0, beforeKey: row.key }
}

export function formatRowCursor(place: RowPlace): string {
  return `${place.before}~${encodeURIComponent(place.beforeKey)}`
}

/** `field`: the request field that contains it. */
export function parseRowCursor(cursor: string, field = "cursor"): RowPlace {
  const match = /^(\d{1,15})~(.+)$/.exec(cursor)
  try {
    const beforeKey = decodeURIComponent(match?.[2] ?? "")
    if (match?.[1] && textDefect(beforeKey) === undefined) return { before: Number(match[1]), beforeKey }
  } catch {
    // A broken escape is not a valid cursor either.
  }
  throw new Refusal("cursor.invalid", `"${cursor}" is not a valid cursor.`, field)
}
