/** Lines of a text, as many as a model is shown at once. Pure. */

const MOST_CHARS = 32 * 1024

export type Lines = {
  /** How many there are in all. */
  readonly lines: number
  readonly from: number
  readonly to: number
  readonly content: string
  /** The line to read on from, when there is more than was shown. */
  readonly next?: number
  /** A line was too long to be shown whole. */
  readonly cut?: true
}

/** Lines count from 1, and `to` is the last one wanted. At least one is shown; one that is too long is cut. */
export function linesFrom(text: string, from = 1, to = Number.MAX_SAFE_INTEGER): Lines {
  const lines = text.split("\n")
  // A text that ends with a line end has no empty line after it.
  if (lines.length > 1 && lines.at(-1) === "") lines.pop()
  const first = Math.min(from, lines.length)
  const last = Math.max(first, Math.min(to, lines.length))
  let end = first - 1
  let chars = 0
  while (end < last && (end < first || chars + (lines[end]?.length ?? 0) <= MOST_CHARS)) {
    chars += (lines[end]?.length ?? 0) + 1
    end += 1
  }
  const whole = lines.slice(first - 1, end).join("\n")
  const content = whole.slice(0, MOST_CHARS).toWellFormed()
  const rest = {
    ...(end < last ? { next: end + 1 } : {}),
    ...(whole.length > MOST_CHARS ? { cut: true as const } : {}),
  }
  return { lines: lines.length, from: first, to: end, content, ...rest }
}
