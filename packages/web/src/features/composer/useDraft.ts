import { useCallback, useSyncExternalStore } from "react"
import { drafts } from "./draft.ts"

export type Draft = {
  readonly text: string
  readonly change: (text: string) => void
  /** Empties the box and hands the text on. From there the SDK keeps it; a refusal puts it back here. */
  readonly send: <T>(deliver: (text: string) => Promise<T>) => Promise<T>
}

export function useDraft(conversation: string): Draft {
  const text = useSyncExternalStore(drafts.subscribe, () => drafts.read(conversation))
  const change = useCallback((next: string) => drafts.write(conversation, next), [conversation])
  const send: Draft["send"] = async (deliver) => {
    const sent = drafts.read(conversation)
    change("")
    try {
      return await deliver(sent)
    } catch (refusal) {
      drafts.give(conversation, sent)
      throw refusal
    }
  }
  return { text, change, send }
}
