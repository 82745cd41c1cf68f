import { useCallback, useRef, useState } from "react"
import { browserKeep } from "../keep/keep.ts"
import { draftsIn, returned } from "./draft.ts"

const drafts = draftsIn(browserKeep)

export type Draft = {
  readonly text: string
  readonly change: (text: string) => void
  /** Empties the box and hands the text on. From there the SDK keeps it; a refusal puts it back here. */
  readonly send: (deliver: (text: string) => Promise<unknown>) => Promise<void>
}

export function useDraft(conversation: string): Draft {
  const [text, setText] = useState(() => drafts.read(conversation))
  const latest = useRef(text)
  const change = useCallback(
    (next: string) => {
      latest.current = next
      setText(next)
      drafts.write(conversation, next)
    },
    [conversation],
  )
  const send: Draft["send"] = async (deliver) => {
    const sent = latest.current
    change("")
    try {
      await deliver(sent)
    } catch (refusal) {
      change(returned(sent, latest.current))
      throw refusal
    }
  }
  return { text, change, send }
}
