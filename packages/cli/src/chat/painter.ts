/**
 * Draws below the scrollback: finished rows are written once, the rest is redrawn in place. Owns only the part of the
 * terminal below the conversation.
 */
import { isDeepStrictEqual, styleText } from "node:util"
import { columnsOf } from "./columns.ts"
import type { Row, Screen } from "./screen.ts"

const EMPTY: Screen = { rows: [], cursor: { row: 0, column: 0 } }
// Synchronized output: terminals that support it draw everything at once; others ignore it.
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

  /** `finished` scrolls up, `screen` is drawn below it. */
  paint(finished: readonly string[], screen: Screen): void {
    // Unchanged rows are not drawn again: a person may be selecting text.
    const isDrawn = this.#drawnColumns === this.#columns() && isDeepStrictEqual(screen, this.#drawn)
    if (isDrawn && finished.length === 0) return
    const rows = screen.rows.map(styled).join("\r\n")
    const up = screen.rows.length - 1 - screen.cursor.row
    const back = (up > 0 ? `\u001b[${up}A` : "") + (screen.rows.length > 0 ? `\u001b[${screen.cursor.column + 1}G` : "")
    this.#write(BEGIN + this.#home() + finished.map((line) => `${line}\r\n`).join("") + rows + back + END)
    this.#drawn = screen
    this.#drawnColumns = this.#columns()
  }

  /** The terminal was cleared by something else. */
  forget(): void {
    this.#drawn = EMPTY
  }

  /** Moves to the first drawn row. After a resize the terminal has wrapped rows that are now too long. */
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
