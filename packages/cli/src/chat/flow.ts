/**
 * Wraps growing text into rows of a terminal.
 *
 * The rows of complete lines are returned once and never change; those of the last line, which may still grow, are
 * `rest`. A wrapped row keeps the indent of its line, and its styles.
 */
import { columnsOf, graphemes } from "./columns.ts"

/** Styles a line: `line` when it is complete, `peek` while it grows. */
export type LineStyle = { line(line: string): string; peek(line: string): string }

const TAB = "    "
const LEAST_COLUMNS = 8
const UNSTYLED: LineStyle = { line: (line) => line, peek: (line) => line }
const RESET = "\u001b[0m"

export class Flow {
  readonly #style: LineStyle
  #open = ""
  #rest: readonly string[] = []

  constructor(style: LineStyle = UNSTYLED) {
    this.#style = style
  }

  /** The rows of the incomplete line. */
  get rest(): readonly string[] {
    return this.#rest
  }

  /** Adds text and returns the rows it completed. */
  push(text: string, columns: number): readonly string[] {
    const lines = (this.#open + text.replaceAll("\t", TAB)).split("\n")
    this.#open = lines.pop() ?? ""
    const finished = lines.flatMap((line) => wrap(this.#style.line(line), columns))
    this.#rest = this.#open === "" ? [] : wrap(this.#style.peek(this.#open), columns)
    return finished
  }
}

/** The rows of one line, wrapped between words where possible. At least one. */
export function wrap(line: string, columns: number): readonly string[] {
  const width = Math.max(LEAST_COLUMNS, columns)
  if (columnsOf(line) <= width) return [line]
  const indent = " ".repeat(Math.min(/^ */.exec(line)?.[0].length ?? 0, width - LEAST_COLUMNS / 2))
  const rows: string[] = []
  let row = indent
  let open = ""
  const next = (full: string): void => {
    rows.push(open === "" ? full : full + RESET)
    row = indent + open
  }
  for (const [word] of line.slice(indent.length).matchAll(WORDS)) {
    const isSpace = /^\s/.test(word)
    if (word.startsWith("\u001b")) {
      open = CLOSES.test(word) ? "" : open + word
      row += word
      continue
    }
    if (columnsOf(row) + columnsOf(word) <= width) {
      row += word
      continue
    }
    if (columnsOf(row) > indent.length) next(row.trimEnd())
    if (isSpace) continue
    for (const grapheme of graphemes(word)) {
      if (columnsOf(row) + columnsOf(grapheme) > width) next(row)
      row += grapheme
    }
  }
  return [...rows, row]
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: styles are control sequences.
const WORDS = /\u001b\[[\d;]*m|\s+|[^\s\u001b]+/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: styles are control sequences.
const CLOSES = /^\u001b\[(?:0|2\d|39)m$/
