/** The unsent text of each conversation, kept in this browser across reloads (TAB-10). */
import type { Keep } from "../keep/keep.ts"

export type Drafts = {
  readonly read: (conversation: string) => string
  readonly write: (conversation: string, text: string) => void
}

export function draftsIn(keep: Keep): Drafts {
  const keyOf = (conversation: string) => `parlor.draft.${conversation}`
  return {
    read: (conversation) => keep.read(keyOf(conversation)) ?? "",
    write: (conversation, text) => keep.write(keyOf(conversation), text === "" ? undefined : text),
  }
}

/** A refused text goes back before what was written meanwhile: nothing typed is ever lost. */
export function returned(refused: string, current: string): string {
  return current === "" ? refused : `${refused}\n${current}`
}
