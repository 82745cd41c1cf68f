import { useCallback, useRef, useState } from "react"
import { type Note, noteOf } from "../status/problemWords.ts"

export type Acts = {
  /** Runs after earlier actions. Resolves to true on success; a rejection is stored for display. */
  readonly run: (act: () => Promise<unknown>) => Promise<boolean>
  readonly refusal: Note | undefined
  readonly dismiss: () => void
}

/** Runs actions one after another, so that two quick clicks don't race. */
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
