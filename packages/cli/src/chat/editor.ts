/** The line editor: its text, the cursor and the history. Pure: a key in, the next editor out. */
import { graphemes } from "./columns.ts"
import type { Key } from "./keys.ts"

export type Editor = {
  readonly text: string
  /** Between 0 and the length of the text, never inside a character. */
  readonly cursor: number
  /** Oldest first. */
  readonly history: readonly string[]
  /** Index of the shown history line; the length of the history for the current line. */
  readonly at: number
  /** The current line, saved while the history is browsed. */
  readonly draft: string
}

const HISTORY_LINES = 200

export const emptyEditor: Editor = { text: "", cursor: 0, history: [], at: 0, draft: "" }

/** Keys that do not edit (enter, escape …) leave it unchanged. */
export function press(editor: Editor, key: Key): Editor {
  const { text, cursor } = editor
  const before = text.slice(0, cursor)
  const after = text.slice(cursor)
  switch (key.name) {
    case "text":
      return put(editor, before + key.text, after)
    case "newline":
      return put(editor, `${before}\n`, after)
    case "left":
      return { ...editor, cursor: cursor - lastLength(before) }
    case "right":
      return { ...editor, cursor: cursor + firstLength(after) }
    case "word-left":
      return { ...editor, cursor: wordStart(before) }
    case "word-right":
      return { ...editor, cursor: cursor + (/^\s*\S*/.exec(after)?.[0].length ?? 0) }
    case "home":
      return { ...editor, cursor: before.lastIndexOf("\n") + 1 }
    case "end":
      return { ...editor, cursor: cursor + (/^[^\n]*/.exec(after)?.[0].length ?? 0) }
    case "backspace":
      return put(editor, before.slice(0, before.length - lastLength(before)), after)
    case "delete":
      return put(editor, before, after.slice(firstLength(after)))
    case "erase-word":
      return put(editor, before.slice(0, wordStart(before)), after)
    case "erase-before":
      return put(editor, "", after)
    case "erase-after":
      return put(editor, before, "")
    case "up":
      return recall(editor, editor.at - 1)
    case "down":
      return recall(editor, editor.at + 1)
    default:
      return editor
  }
}

/** The line was accepted: it becomes history, and the next one is empty. */
export function submitted(editor: Editor): Editor {
  const { text, history } = editor
  const isNew = text.trim() !== "" && history.at(-1) !== text
  const lines = isNew ? [...history, text].slice(-HISTORY_LINES) : history
  return { text: "", cursor: 0, history: lines, at: lines.length, draft: "" }
}

/** Replaces the typed text, with the cursor at its end. */
export function withText(editor: Editor, text: string): Editor {
  return { ...editor, text, cursor: text.length, at: editor.history.length, draft: "" }
}

function put(editor: Editor, before: string, after: string): Editor {
  return { ...editor, text: before + after, cursor: before.length }
}

function recall(editor: Editor, at: number): Editor {
  const { history } = editor
  if (at < 0 || at > history.length) return editor
  const draft = editor.at === history.length ? editor.text : editor.draft
  const text = history[at] ?? draft
  return { ...editor, text, cursor: text.length, at, draft }
}

function wordStart(before: string): number {
  return before.trimEnd().search(/(?<!\S)\S*$/)
}

function lastLength(text: string): number {
  return graphemes(text).at(-1)?.length ?? 0
}

function firstLength(text: string): number {
  return graphemes(text)[0]?.length ?? 0
}
