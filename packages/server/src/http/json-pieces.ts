/**
 * JSON text in pieces, the same text as `JSON.stringify` returns: a large response is produced and sent piece by
 * piece, so that it does not block others (LOG-25).
 */
const PIECE_LENGTH = 64 * 1024
/** Values that are certainly shorter are written in one go. */
const SMALL_LENGTH = 16 * 1024
/** Estimated length of a number, a key's quotes or a brace. */
const VALUE_LENGTH = 8

/** The text itself if it is short, otherwise its pieces. */
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

/** The rest of `length` after writing `value`; negative as soon as it certainly does not fit. */
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
