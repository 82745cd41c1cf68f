/** Which message the text in the box was edited from, for each conversation; kept across reloads like the text itself (RBK-3). */
import type { Keep } from "../keep/keep.ts"

export type Editing = {
  readonly read: (conversation: string) => string | undefined
  readonly write: (conversation: string, message: string | undefined) => void
}

export function editingIn(keep: Keep): Editing {
  const keyOf = (conversation: string) => `edited-from.${conversation}`
  /** Also for a browser that keeps nothing. */
  const known = new Map<string, string | undefined>()
  return {
    read: (conversation) => (known.has(conversation) ? known.get(conversation) : keep.read(keyOf(conversation))),
    write: (conversation, message) => {
      known.set(conversation, message)
      keep.write(keyOf(conversation), message)
    },
  }
}
