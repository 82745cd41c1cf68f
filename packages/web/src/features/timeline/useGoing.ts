import type { LiveConversation } from "@parlor/client"
import { useEffect, useState } from "react"
import { type Going, goToMessage } from "./goToMessage.ts"

/** How far the way to the message is that the address names; undefined where it names none. */
export function useGoing(live: LiveConversation | undefined, message: string | undefined): Going | undefined {
  const [going, setGoing] = useState<Going>()
  // What is shown may be from before; older pages are those of what is there now.
  const isReady = live?.getState().phase === "ready"
  useEffect(() => {
    setGoing(undefined)
    if (live === undefined || !isReady || message === undefined) return
    const left = new AbortController()
    void goToMessage(live, message, { signal: left.signal, onGoing: (next) => left.signal.aborted || setGoing(next) })
    return () => left.abort()
  }, [live, isReady, message])
  return going
}
