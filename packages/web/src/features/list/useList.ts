import { useCallback, useEffect, useState } from "react"
import { type Note, noteOf, refusesToken } from "../status/problemWords.ts"
import { latestOf } from "./latest.ts"

export type AskedState<T> = {
  /** Undefined until it is there for the first time. */
  readonly answer: T | undefined
  readonly note: Note | undefined
  readonly reload: () => Promise<void>
  /** Carries it out, then looks again. False, and `note` says why, when it was turned down. */
  readonly act: (work: () => Promise<unknown>) => Promise<boolean>
}

export type ListState<T> = Omit<AskedState<T>, "answer"> & { readonly items: readonly T[] | undefined }

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
  const { answer: items, ...rest } = useAsked(read, options)
  return { items, ...rest }
}

/** The same for what is more than a list. */
export function useAsked<T>(read: () => Promise<T>, options: ListOptions = {}): AskedState<T> {
  const { onRefused, pauseMs = 0 } = options
  const [answer, setAnswer] = useState<T>()
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
          setAnswer(() => found)
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
  return { answer, note, reload, act }
}
