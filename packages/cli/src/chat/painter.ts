/**
 * Draws below what has scrolled by: finished rows are written once and belong to the terminal, the rest is redrawn in
 * place. Owns the part of the terminal under the conversation and nothing above it.
 */
import { isDeepStrictEqual, styleText } from "node:util"
import { columnsOf } from "./columns.ts"
import type { Row, Screen } from "./screen.ts"

const EMPTY: Screen = { rows: [], cursor: { row: 0, column: 0 } }
// Terminals that know these draw all of it in one go; the others pass over them.
const BEGIN = "\u001b[?2026h\u001b[?25l"
const END = "\u001b[?25h\u001b[?2026l"
const ERASE_BELOW = "\u001b[J"

export class Painter {
  readonly #write: (text: string) => void
  readonly #columns: () => number
  #drawn = EMPTY
  #drawnColumns = 0

  constructor(write: (text: string) => void, columns: () => number) {
    this.#write = write
    this.#columns = columns
  }

  /** `finished` scrolls away above, `screen` stands below it. */
  paint(finished: readonly string[], screen: Screen): void {
    // What stands there already is not drawn again: a person may be selecting it.
    const isDrawn = this.#drawnColumns === this.#columns() && isDeepStrictEqual(screen, this.#drawn)
    if (isDrawn && finished.length === 0) return
    const rows = screen.rows.map(styled).join("\r\n")
    const up = screen.rows.length - 1 - screen.cursor.row
    const back = (up > 0 ? `\u001b[${up}A` : "") + (screen.rows.length > 0 ? `\u001b[${screen.cursor.column + 1}G` : "")
    this.#write(BEGIN + this.#home() + finished.map((line) => `${line}\r\n`).join("") + rows + back + END)
    this.#drawn = screen
    this.#drawnColumns = this.#columns()
  }

  /** The terminal was emptied by someone else. */
  forget(): void {
    this.#drawn = EMPTY
  }

  /** To the first row drawn. After a resize the terminal has broken rows that are too long for it now. */
  #home(): string {
    const { rows, cursor } = this.#drawn
    const columns = Math.max(1, this.#columns())
    const height = ({ text }: Row): number => Math.max(1, Math.ceil(columnsOf(text) / columns))
    const up = rows.slice(0, cursor.row).reduce((sum, row) => sum + height(row), Math.floor(cursor.column / columns))
    return `\r${up > 0 ? `\u001b[${up}A` : ""}${ERASE_BELOW}`
  }
}

function styled({ text, style }: Row): string {
  if (style === "plain" || text === "") return text
  return styleText(style === "faint" ? "dim" : "yellow", text)
}
