import { useCallback, useRef, useState } from "react"
import { type Note, noteOf } from "../status/problemWords.ts"

export type Acts = {
  /** Does it after what was begun before. True when it went through; a refusal is kept to be shown. */
  readonly run: (act: () => Promise<unknown>) => Promise<boolean>
  readonly refusal: Note | undefined
  readonly dismiss: () => void
}

/** What a person does to something, one after another: two quick clicks are two moves, not a race with oneself. */
export function useActs(): Acts {
  const [refusal, setRefusal] = useState<Note>()
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const run = useCallback((act: () => Promise<unknown>) => {
    const done = last.current.then(act).then(
      () => {
        setRefusal(undefined)
        return true
      },
      (error: unknown) => {
        setRefusal(noteOf(error))
        return false
      },
    )
    last.current = done
    return done
  }, [])
  const dismiss = useCallback(() => setRefusal(undefined), [])
  return { run, refusal, dismiss }
}
