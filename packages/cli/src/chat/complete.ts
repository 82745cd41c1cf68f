/** Completes the word before the cursor: a command at the start of the line, or an agent after `@`. Pure. */
import type { Editor } from "./editor.ts"

export type Completing = {
  /** Names of commands, of the chat and of the agent. */
  readonly commands: readonly string[]
  readonly agents: readonly string[]
}

export type Completion = {
  readonly editor: Editor
  /** What the word could become, if it is not unique. */
  readonly choices: readonly string[]
}

/** As far as the candidates agree; a space follows the only one. */
export function complete(editor: Editor, { commands, agents }: Completing): Completion {
  const { text, cursor } = editor
  const before = text.slice(0, cursor)
  const word = before.slice(before.search(/(?<!\S)\S*$/))
  const isFirst = before.trimStart() === word
  const names = word.startsWith("@") ? agents : word.startsWith("/") && isFirst ? commands : []
  const sign = word.slice(0, 1)
  const found = [...new Set(names)]
    .map((name) => sign + name)
    .filter((name) => name.startsWith(word))
    .sort()
  const [only, ...others] = found
  if (only === undefined) return { editor, choices: [] }
  if (others.length === 0) return { editor: put(editor, word, `${only} `), choices: [] }
  return { editor: put(editor, word, commonStart(found)), choices: found }
}

function put(editor: Editor, word: string, completed: string): Editor {
  const { text, cursor } = editor
  const rest = text.slice(cursor)
  const before = text.slice(0, cursor - word.length) + (rest.startsWith(" ") ? completed.trimEnd() : completed)
  return { ...editor, text: before + rest, cursor: before.length }
}

function commonStart(names: readonly string[]): string {
  const [first = "", ...others] = names
  let length = first.length
  for (const name of others) while (!name.startsWith(first.slice(0, length))) length -= 1
  return first.slice(0, length)
}
