import { ParlorError } from "@parlor/client"
import type { ComposerInput } from "@parlor/protocol"
import { useCallback, useSyncExternalStore } from "react"
import { useOwnPart } from "../keep/OwnContext.ts"
import { NOTHING } from "./doc.ts"
import { ownDrafts } from "./draft.ts"

export type Draft = {
  readonly input: ComposerInput
  readonly change: (input: ComposerInput) => void
  /** Clears the box and returns its content. The SDK keeps it from then on; a rejected send restores it here. */
  readonly send: <T>(deliver: (input: ComposerInput) => Promise<T>) => Promise<T>
}

export function useDraft(conversation: string): Draft {
  const drafts = useOwnPart(ownDrafts)
  const read = () => drafts.read(conversation)
  const input = useSyncExternalStore(drafts.subscribe, read, read)
  const change = useCallback((next: ComposerInput) => drafts.write(conversation, next), [drafts, conversation])
  const send: Draft["send"] = async (deliver) => {
    const sent = drafts.read(conversation)
    change(NOTHING)
    try {
      return await deliver(sent)
    } catch (refusal) {
      if (!isCancelled(refusal)) drafts.give(conversation, sent)
      throw refusal
    }
  }
  return { input, change, send }
}

/** The person canceled it; the caller already has the text. */
export function isCancelled(error: unknown): boolean {
  return error instanceof ParlorError && error.code === "send.cancelled"
}
