/**
 * Renders the area below the conversation: the incomplete row, asks, the queue, the status and the typed line. Pure:
 * the same state, the same rows. It is never wider or higher than the terminal.
 */
import type { LiveState } from "@parlor/client"
import type { AskRow, QueueRow } from "@parlor/protocol"
import { askLines, howToAnswer } from "../asks.ts"
import { plain } from "../plain.ts"
import { queuedLine, shortened } from "../queue-lines.ts"
import { clip } from "./columns.ts"
import type { Editor } from "./editor.ts"
import { inputRows } from "./input-rows.ts"
import { statusLine } from "./status-line.ts"

export type View = {
  readonly state: LiveState
  readonly editor: Editor
  /** The rows of the conversation's last line, not complete yet. */
  readonly rest: readonly string[]
  /** The latest message to the person. */
  readonly notice: readonly string[]
  /** What the typed line will replace, if it is an edit. */
  readonly editing: string | undefined
  readonly now: number
}

export type Row = { readonly text: string; readonly style: "plain" | "faint" | "ask" }
export type Screen = {
  readonly rows: readonly Row[]
  readonly cursor: { readonly row: number; readonly column: number }
}
export type Size = { readonly columns: number; readonly rows: number }

const QUEUE_ROWS = 5
const INPUT_ROWS = 6

export function layout(view: View, size: Size): Screen {
  // The last column stays free: writing there can make a terminal wrap.
  const columns = Math.max(8, size.columns - 1)
  const input = inputRows(view.editor, { columns, rows: Math.max(1, Math.min(INPUT_ROWS, size.rows - 2)) })
  const standing = faint(
    view.editing === undefined ? statusLine(view.state, view.now) : `${view.editing} · Esc to cancel`,
  )
  const above = [
    ...view.rest.map(row),
    ...view.state.asks.flatMap((ask, index) => askRows(ask, index, view.state.asks.length)),
    ...queueRows(view.state.queue, view.now),
    ...sendingRows(view.state),
    ...view.notice.map((line) => faint(line)),
  ]
  const room = Math.max(0, size.rows - 2 - input.rows.length)
  const rows = [...above.slice(Math.max(0, above.length - room)), standing, ...input.rows.map(row)]
  const top = rows.length - input.rows.length
  return {
    rows: rows.map(({ text, style }) => ({ text: clip(text, columns), style })),
    cursor: { row: top + input.cursor.row, column: input.cursor.column },
  }
}

function askRows(ask: AskRow, index: number, count: number): readonly Row[] {
  const command = count > 1 ? `/answer ${index + 1}` : "/answer"
  const how = index === 0 ? howToAnswer(ask, command) : `${command} …`
  const [title = "", ...more] = askLines(ask)
  return [
    { text: `? ${title}`, style: "ask" },
    ...more.map((line): Row => ({ text: `  ${line}`, style: "ask" })),
    faint(`  answer: ${how}`),
  ]
}

function queueRows(queue: readonly QueueRow[], now: number): readonly Row[] {
  const shown = queue.slice(0, QUEUE_ROWS).map((message, index) => {
    const mode = message.mode === "paused" ? " (paused)" : message.mode === "steer" ? " (steering)" : ""
    const source = message.source === "person" ? "" : ` [${plain(message.source)}]`
    return faint(`${String(index + 1).padStart(2)} ${queuedLine(message, now)}${mode}${source}`)
  })
  const more = queue.length - shown.length
  return more > 0 ? [...shown, faint(`   and ${more} more, see /queue`)] : shown
}

function sendingRows(state: LiveState): readonly Row[] {
  return state.sending.filter((send) => send.state === "sending").map((send) => faint(` … ${shortened(send.text)}`))
}

function row(text: string): Row {
  return { text, style: "plain" }
}

function faint(text: string): Row {
  return { text, style: "faint" }
}
