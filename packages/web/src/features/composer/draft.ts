/** The unsent text of each conversation, kept in this browser across reloads (TAB-10). */
import { browserKeep, type Keep } from "../keep/keep.ts"

export type Drafts = {
  readonly read: (conversation: string) => string
  readonly write: (conversation: string, text: string) => void
  /** Puts text before what is in the box. */
  readonly give: (conversation: string, text: string) => void
  readonly subscribe: (listener: () => void) => () => void
}

export function draftsIn(keep: Keep): Drafts {
  const keyOf = (conversation: string) => `parlor.draft.${conversation}`
  /** Also for a browser that keeps nothing. */
  const texts = new Map<string, string>()
  const listeners = new Set<() => void>()
  const read = (conversation: string) => texts.get(conversation) ?? keep.read(keyOf(conversation)) ?? ""
  const write = (conversation: string, text: string) => {
    texts.set(conversation, text)
    keep.write(keyOf(conversation), text === "" ? undefined : text)
    for (const listener of listeners) listener()
  }
  return {
    read,
    write,
    give: (conversation, text) => write(conversation, returned(text, read(conversation))),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

export const drafts = draftsIn(browserKeep)

/** A refused text goes back before what was written meanwhile: nothing typed is ever lost. */
export function returned(refused: string, current: string): string {
  return current === "" ? refused : `${refused}\n${current}`
}
