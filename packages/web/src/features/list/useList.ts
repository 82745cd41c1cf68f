import { useCallback, useEffect, useState } from "react"
import { type Note, noteOf, refusesToken } from "../status/problemWords.ts"
import { latestOf } from "./latest.ts"

export type ListState<T> = {
  /** Undefined until they are there for the first time. */
  readonly items: readonly T[] | undefined
  readonly note: Note | undefined
  readonly reload: () => Promise<void>
  /** Carries it out, then looks again. False, and `note` says why, when it was turned down. */
  readonly act: (work: () => Promise<unknown>) => Promise<boolean>
}

export type ListOptions = {
  readonly onRefused?: () => void
  /** How long to wait for more typing before looking. */
  readonly pauseMs?: number
}

/**
 * Things that are asked for, not followed: looked at again after each act, and when the window comes back to the front.
 * `read` is the same function as long as it asks for the same.
 */
export function useList<T>(read: () => Promise<readonly T[]>, options: ListOptions = {}): ListState<T> {
  const { onRefused, pauseMs = 0 } = options
  const [items, setItems] = useState<readonly T[]>()
  const [note, setNote] = useState<Note>()
  const [latest] = useState(latestOf)
  const failed = useCallback(
    (error: unknown) => {
      if (onRefused !== undefined && refusesToken(error)) onRefused()
      else setNote(noteOf(error))
    },
    [onRefused],
  )
  const reload = useCallback(
    () =>
      latest(read(), {
        onAnswer: (found) => {
          setItems(found)
          setNote(undefined)
        },
        onRefusal: failed,
      }),
    [read, failed, latest],
  )
  useEffect(() => {
    const timer = setTimeout(reload, pauseMs)
    window.addEventListener("focus", reload)
    return () => {
      clearTimeout(timer)
      window.removeEventListener("focus", reload)
    }
  }, [reload, pauseMs])
  const act = useCallback(
    async (work: () => Promise<unknown>) => {
      try {
        await work()
      } catch (error) {
        failed(error)
        return false
      }
      await reload()
      return true
    },
    [reload, failed],
  )
  return { items, note, reload, act }
}
