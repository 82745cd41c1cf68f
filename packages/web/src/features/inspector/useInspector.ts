import type { Conversation, LiveState } from "@parlor/client"
import type { InspectedTurn, TurnGlance } from "@parlor/protocol"
import { useCallback, useEffect, useRef, useState } from "react"
import { type Note, noteOf, refusesToken } from "../status/problemWords.ts"

export type Turns = {
  readonly turns: readonly TurnGlance[] | undefined
  /** There are older ones. */
  readonly more: (() => void) | undefined
  readonly note: Note | undefined
  readonly reload: () => void
}

/** The conversation's turns, reloaded when `news` changes. */
export function useTurns(conversation: Conversation, news: string, onRefused: () => void): Turns {
  const [pages, setPages] = useState<{ readonly turns: readonly TurnGlance[]; readonly cursor: string | null }>()
  const [note, setNote] = useState<Note>()
  const [round, setRound] = useState(0)
  const asked = useRef(0)
  const shown = useRef(0)
  const load = useCallback(
    async (cursor?: string) => {
      const question = ++asked.current
      try {
        // Reload as many as are shown, so that none disappears when a new turn starts.
        const limit = cursor === undefined && shown.current > 0 ? { limit: Math.min(shown.current, MOST) } : {}
        const page = await conversation.inspect.turns(cursor === undefined ? limit : { cursor })
        if (question !== asked.current) return
        setPages((before) => ({
          cursor: page.cursor,
          turns: cursor === undefined ? page.turns : [...(before?.turns ?? []), ...page.turns],
        }))
        setNote(undefined)
      } catch (error) {
        if (question !== asked.current) return
        if (refusesToken(error)) onRefused()
        else setNote(noteOf(error))
      }
    },
    [conversation, onRefused],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: news and the round say when to look again.
  useEffect(() => void load(), [load, news, round])
  const cursor = pages?.cursor ?? null
  shown.current = Math.max(FEWEST, pages?.turns.length ?? 0)
  return {
    turns: pages?.turns,
    more: cursor === null ? undefined : () => void load(cursor),
    note,
    reload: () => setRound((before) => before + 1),
  }
}

const FEWEST = 50
const MOST = 200

export type OneTurn = { readonly inspected: InspectedTurn | undefined; readonly note: Note | undefined }

/** One turn, with the prompt of one step. The old data stays until the new data is loaded. */
export function useTurn(
  conversation: Conversation,
  { turn, step, news }: { readonly turn: string; readonly step: number | undefined; readonly news: string },
  onRefused: () => void,
): OneTurn {
  const [seen, setSeen] = useState<OneTurn & { readonly turn: string }>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: news says when to look again.
  useEffect(() => {
    const left = new AbortController()
    conversation.inspect.turn(turn, { step: step ?? 1, signal: left.signal }).then(
      (inspected) => !left.signal.aborted && setSeen({ turn, inspected, note: undefined }),
      (error: unknown) => {
        if (left.signal.aborted) return
        if (refusesToken(error)) onRefused()
        else
          setSeen((before) => ({
            turn,
            inspected: before?.turn === turn ? before.inspected : undefined,
            note: noteOf(error),
          }))
      },
    )
    return () => left.abort()
  }, [conversation, turn, step, news, onRefused])
  return seen?.turn === turn ? seen : { inspected: undefined, note: undefined }
}

/** Changes when a turn starts, continues, finishes a step, waits or ends. */
export function newsOf(state: LiveState | undefined): string {
  if (state === undefined) return ""
  const turns = state.turns.map(({ id, state: is, steps, step }) => `${id} ${is} ${steps} ${step?.number ?? 0}`)
  const { status, asks, messages } = state
  const speaking = messages.at(-1)?.id ?? ""
  return [status?.turn ?? "", status?.state ?? "", asks.length, speaking, ...turns.slice(-2)].join("|")
}
