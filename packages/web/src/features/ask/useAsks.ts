import type { AnswerOptions, LiveConversation, LiveState } from "@parlor/client"
import { useCallback, useState } from "react"
import { type Note, noteOf } from "../status/problemWords.ts"
import { followAsks, type Json, type ShownAsk } from "./askView.ts"

export type Asks = {
  readonly shown: readonly ShownAsk[]
  readonly answer: (id: string, value: Json, always?: AnswerOptions["always"]) => Promise<Note | undefined>
  readonly draft: (id: string, text: string) => void
}

/** The asks to show, and a function to answer them. A rejected answer returns a note. */
export function useAsks(live: LiveConversation | undefined, state: LiveState | undefined): Asks {
  const [shown, setShown] = useState<readonly ShownAsk[]>([])
  const next = state ? followAsks(shown, sceneOf(state)) : shown
  if (next !== shown) setShown(next)

  const change = useCallback((id: string, changes: Partial<ShownAsk>) => {
    setShown((now) => now.map((one) => (one.ask.id === id ? { ...one, ...changes } : one)))
  }, [])
  const draft = useCallback((id: string, text: string) => change(id, { draft: text }), [change])
  const answer = useCallback(
    async (id: string, value: Json, always?: AnswerOptions["always"]) => {
      if (live === undefined) return { code: "network", detail: "" }
      change(id, { mine: { answer: value } })
      try {
        await (always === undefined ? live.answer(id, value) : live.answer(id, value, { always }))
        return undefined
      } catch (error) {
        change(id, { mine: undefined })
        return noteOf(error)
      }
    },
    [live, change],
  )
  return { shown: next, answer, draft }
}

function sceneOf(state: LiveState) {
  return {
    open: state.asks,
    turn: state.status?.turn ?? null,
    lastMessage: state.messages.at(-1)?.id,
    now: Date.now(),
  }
}
