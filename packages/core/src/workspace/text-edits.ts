/** Edits of a text by what is there and what shall be there instead. Pure. */
import { Refusal } from "@parlor/protocol"
import type { TextEdit } from "../agent/workspace-access.ts"

/** One after another. Each `old` has to be there exactly once, so that none hits another place than was meant. */
export function editText(path: string, text: string, edits: readonly TextEdit[]): string {
  let edited = text
  for (const [index, edit] of edits.entries()) edited = editOnce(path, edited, edit, index)
  return edited
}

function editOnce(path: string, text: string, edit: TextEdit, index: number): string {
  const refuse = (why: string) =>
    new Refusal("file.edit", `${path}: ${why} Nothing was changed.`, `/edits/${index}/old`)
  if (edit.old === "") throw refuse(`edit ${index + 1} says nothing to replace.`)
  const at = text.indexOf(edit.old)
  if (at < 0) throw refuse(`the text of edit ${index + 1} is not there. It has to match exactly, spaces and all.`)
  if (text.indexOf(edit.old, at + 1) >= 0)
    throw refuse(`the text of edit ${index + 1} is there more than once. Give more of what is around it.`)
  return text.slice(0, at) + edit.new + text.slice(at + edit.old.length)
}
