/** The edited line as rows of a terminal, with the cursor position. Pure. */
import { plain } from "../plain.ts"
import { columnsOf, graphemes } from "./columns.ts"
import type { Editor } from "./editor.ts"

const PROMPT = "> "
const INDENT = "  "

export type InputRows = {
  readonly rows: readonly string[]
  readonly cursor: { readonly row: number; readonly column: number }
}

/** At most `rows` of them: those around the cursor. */
export function inputRows(editor: Editor, size: { readonly columns: number; readonly rows: number }): InputRows {
  const rows = [PROMPT]
  let row = PROMPT
  let cursor = { row: 0, column: PROMPT.length }
  let at = 0
  const next = (): void => {
    row = INDENT
    rows.push(row)
  }
  for (const grapheme of graphemes(editor.text)) {
    const shown = grapheme === "\n" ? "" : plain(grapheme.replace("\t", " "))
    if (columnsOf(row) + columnsOf(shown) > size.columns - 1) next()
    if (at === editor.cursor) cursor = { row: rows.length - 1, column: columnsOf(row) }
    at += grapheme.length
    if (grapheme === "\n") {
      next()
      continue
    }
    row += shown
    rows[rows.length - 1] = row
  }
  if (at === editor.cursor) cursor = { row: rows.length - 1, column: columnsOf(row) }
  const first = Math.max(0, Math.min(cursor.row - size.rows + 1 + Math.floor(size.rows / 2), rows.length - size.rows))
  return {
    rows: rows.slice(first, first + size.rows),
    cursor: { row: cursor.row - first, column: cursor.column },
  }
}
