/**
 * JSON text in pieces, the same text as `JSON.stringify` gives: a large answer is made and sent a piece at a time, so that
 * nobody waits for all of it (LOG-25).
 */
const PIECE_LENGTH = 64 * 1024
/** What is certainly shorter is written in one go. */
const SMALL_LENGTH = 16 * 1024
/** About what a number, a name's quotes or a brace takes. */
const VALUE_LENGTH = 8

/** The text itself when it is short, its pieces otherwise. */
export function jsonBody(value: unknown): string | Iterable<string> {
  return room(value, PIECE_LENGTH) >= 0 ? (JSON.stringify(value) ?? "null") : jsonPieces(value)
}

export function* jsonPieces(value: unknown): Generator<string> {
  let waiting: string[] = []
  let length = 0
  for (const text of parts(value)) {
    waiting.push(text)
    length += text.length
    if (length < PIECE_LENGTH) continue
    yield waiting.join("")
    waiting = []
    length = 0
  }
  if (length > 0) yield waiting.join("")
}

function* parts(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null || room(value, SMALL_LENGTH) >= 0)
    yield JSON.stringify(value) ?? "null"
  else if (Array.isArray(value)) {
    yield "["
    for (const [index, item] of value.entries()) {
      if (index > 0) yield ","
      yield* parts(item)
    }
    yield "]"
  } else {
    let before = "{"
    for (const [key, inner] of Object.entries(value)) {
      if (inner === undefined) continue
      yield `${before}${JSON.stringify(key)}:`
      yield* parts(inner)
      before = ","
    }
    yield before === "{" ? "{}" : "}"
  }
}

/** What is left of `length` when `value` is written; below zero as soon as that is certain. */
function room(value: unknown, length: number): number {
  if (typeof value === "string") return length - value.length - VALUE_LENGTH
  if (typeof value !== "object" || value === null) return length - VALUE_LENGTH
  let left = length - VALUE_LENGTH
  for (const key in value) {
    if (left < 0) return left
    left = room((value as Record<string, unknown>)[key], left - key.length - VALUE_LENGTH)
  }
  return left
}
