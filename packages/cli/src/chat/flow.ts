/**
 * Wraps growing text into rows of a terminal.
 *
 * Complete rows are returned once and never change; the last row, which may still grow, is `rest`. A wrapped row
 * keeps the indent of its line.
 */
import { columnsOf, graphemes } from "./columns.ts"

const TAB = "    "
const LEAST_COLUMNS = 8

export class Flow {
  #rest = ""

  /** The incomplete row. */
  get rest(): string {
    return this.#rest
  }

  /** Adds text and returns the rows it completed. */
  push(text: string, columns: number): readonly string[] {
    const lines = (this.#rest + text.replaceAll("\t", TAB)).split("\n")
    const open = wrap(lines.pop() ?? "", columns)
    this.#rest = open.at(-1) ?? ""
    return [...lines.flatMap((line) => wrap(line, columns)), ...open.slice(0, -1)]
  }
}

/** The rows of one line, wrapped between words where possible. At least one. */
export function wrap(line: string, columns: number): readonly string[] {
  const width = Math.max(LEAST_COLUMNS, columns)
  if (columnsOf(line) <= width) return [line]
  const indent = " ".repeat(Math.min(/^ */.exec(line)?.[0].length ?? 0, width - LEAST_COLUMNS / 2))
  const rows: string[] = []
  let row = indent
  for (const word of line.slice(indent.length).match(/\s+|\S+/g) ?? []) {
    const isSpace = /^\s/.test(word)
    if (columnsOf(row) + columnsOf(word) <= width) {
      row += word
      continue
    }
    if (row.trim() !== "") {
      rows.push(row.trimEnd())
      row = indent
    }
    if (isSpace) continue
    for (const grapheme of graphemes(word)) {
      if (columnsOf(row) + columnsOf(grapheme) > width) {
        rows.push(row)
        row = indent
      }
      row += grapheme
    }
  }
  return [...rows, row]
}
