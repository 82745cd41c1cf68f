/** The message each draft was edited from; kept across reloads like the draft (RBK-3). */

import type { Keep } from "../keep/keep.ts"
import type { OwnPart } from "../keep/own.ts"

export type Editing = {
  readonly read: (conversation: string) => string | undefined
  readonly write: (conversation: string, message: string | undefined) => void
}

export const ownEditing: OwnPart<Editing> = ({ keep }) => editingIn(keep)

/** Sends what is in the box, naming the message it was edited from. What was sent is done with; what was refused is still that edit. */
export async function sendEdited<Sent>(
  editing: Editing,
  conversation: string,
  send: (editedFrom: string | undefined) => Promise<Sent>,
): Promise<Sent> {
  const sent = await send(editing.read(conversation))
  editing.write(conversation, undefined)
  return sent
}

export function editingIn(keep: Keep): Editing {
  const keyOf = (conversation: string) => `edited-from.${conversation}`
  /** Works even when the browser stores nothing. */
  const known = new Map<string, string | undefined>()
  return {
    read: (conversation) => (known.has(conversation) ? known.get(conversation) : keep.read(keyOf(conversation))),
    write: (conversation, message) => {
      known.set(conversation, message)
      keep.write(keyOf(conversation), message)
    },
  }
}
