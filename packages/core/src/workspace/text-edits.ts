/** Edits a text by replacing exact matches. Pure. */
import { Refusal } from "@parlor/protocol"
import type { TextEdit } from "../agent/workspace-access.ts"

/** One after another. Each `old` must occur exactly once, so that no edit hits the wrong place. */
export function editText(path: string, text: string, edits: readonly TextEdit[]): string {
  let edited = text
  for (const [index, edit] of edits.entries()) edited = editOnce(path, edited, edit, index)
  return edited
}

function editOnce(path: string, text: string, edit: TextEdit, index: number): string {
  const refuse = (why: string) =>
    new Refusal("file.edit", `${path}: ${why} Nothing was changed.`, `/edits/${index}/old`)
  if (edit.old === "") throw refuse(`edit ${index + 1} has nothing to replace.`)
  const at = text.indexOf(edit.old)
  if (at < 0) throw refuse(`the text of edit ${index + 1} was not found. It has to match exactly, including spaces.`)
  if (text.indexOf(edit.old, at + 1) >= 0)
    throw refuse(`the text of edit ${index + 1} occurs more than once. Include more of the surrounding text.`)
  return text.slice(0, at) + edit.new + text.slice(at + edit.old.length)
}
