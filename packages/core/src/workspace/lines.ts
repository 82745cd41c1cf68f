/** Lines of a text, as many as a model is shown at once. Pure; a long text is scanned, never split. */

const MAX_CHARS = 32 * 1024

export type Lines = {
  /** The total number of lines. */
  readonly lines: number
  readonly from: number
  readonly to: number
  readonly content: string
  /** The line to continue from, if there is more than was shown. */
  readonly next?: number
  /** A line was too long to be shown in full. */
  readonly cut?: true
}

/** Lines are numbered from 1, and `to` is inclusive. At least one is shown; one that is too long is cut. */
export function linesFrom(text: string, from = 1, to = Number.MAX_SAFE_INTEGER): Lines {
  const lines = countLines(text)
  const first = Math.min(from, lines)
  const last = Math.max(first, Math.min(to, lines))
  const start = startOf(text, first)
  let end = endOf(text, start)
  let shown = first
  while (shown < last) {
    const next = endOf(text, end + 1)
    if (next - start > MAX_CHARS) break
    end = next
    shown += 1
  }
  const content = text.slice(start, Math.min(end, start + MAX_CHARS)).toWellFormed()
  const isCut = end - start > MAX_CHARS
  return {
    lines,
    from: first,
    to: shown,
    content,
    ...(shown < last ? { next: shown + 1 } : {}),
    ...(isCut ? { cut: true } : {}),
  }
}

/** A text that ends with a newline has no empty line after it. */
function countLines(text: string): number {
  let ends = 0
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) ends += 1
  return Math.max(1, text.endsWith("\n") ? ends : ends + 1)
}

function startOf(text: string, line: number): number {
  let start = 0
  for (let passed = 1; passed < line; passed++) start = text.indexOf("\n", start) + 1
  return start
}

/** Where the line ends, without its newline. */
function endOf(text: string, start: number): number {
  const end = text.indexOf("\n", start)
  return end < 0 ? text.length : end
}
