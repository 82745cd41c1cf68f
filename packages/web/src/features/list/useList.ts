import { useCallback, useEffect, useState } from "react"
import { type Note, noteOf, refusesToken } from "../status/problemWords.ts"
import { latestOf } from "./latest.ts"

export type AskedState<T> = {
  /** Undefined until the first load is done. */
  readonly answer: T | undefined
  readonly note: Note | undefined
  readonly reload: () => Promise<void>
  /** Runs the action, then reloads. Returns false, with `note` set, when it was rejected. */
  readonly act: (work: () => Promise<unknown>) => Promise<boolean>
}

export type ListState<T> = Omit<AskedState<T>, "answer"> & { readonly items: readonly T[] | undefined }

export type ListOptions = {
  readonly onRefused?: () => void
  /** The debounce before searching. */
  readonly pauseMs?: number
}

/**
 * A list that is polled, not streamed: reloaded after each action and when the window becomes visible. `read` must be
 * stable for the same request.
 */
export function useList<T>(read: () => Promise<readonly T[]>, options: ListOptions = {}): ListState<T> {
  const { answer: items, ...rest } = useAsked(read, options)
  return { items, ...rest }
}

/** The same for results that are more than a list. */
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
