import type { Parlor } from "@parlor/client"
import type { MemoryLine } from "@parlor/protocol"
import { useCallback, useEffect, useRef, useState } from "react"
import { type Note, noteOf, refusesToken } from "../status/problemWords.ts"

const typingMs = 150

export type MemoriesState = {
  readonly memories: readonly MemoryLine[] | undefined
  readonly note: Note | undefined
  readonly reload: () => Promise<void>
  /** Carries it out, then looks again. False, and `note` says why, when it was turned down. */
  readonly act: (work: () => Promise<unknown>) => Promise<boolean>
}

/** What is remembered, by the words looked for. Looked at again when the window comes back to the front. */
export function useMemories(parlor: Parlor, query: string, onRefused: () => void): MemoriesState {
  const [memories, setMemories] = useState<readonly MemoryLine[]>()
  const [note, setNote] = useState<Note>()
  /** Answers may overtake each other: only the one to the newest question counts. */
  const asked = useRef(0)
  const failed = useCallback(
    (error: unknown) => {
      if (refusesToken(error)) onRefused()
      else setNote(noteOf(error))
    },
    [onRefused],
  )
  const reload = useCallback(async () => {
    const question = ++asked.current
    try {
      const found = await parlor.memory.list(query.trim() === "" ? {} : { q: query })
      if (question !== asked.current) return
      setMemories(found)
      setNote(undefined)
    } catch (error) {
      if (question === asked.current) failed(error)
    }
  }, [parlor, query, failed])
  useEffect(() => {
    const timer = setTimeout(reload, query === "" ? 0 : typingMs)
    window.addEventListener("focus", reload)
    return () => {
      clearTimeout(timer)
      window.removeEventListener("focus", reload)
    }
  }, [reload, query])
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
  return { memories, note, reload, act }
}
