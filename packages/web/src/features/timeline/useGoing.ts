import type { LiveConversation } from "@parlor/client"
import { useEffect, useState } from "react"
import { type Going, goToMessage } from "./goToMessage.ts"

/** The progress of loading the message named in the address; undefined if there is none. */
export function useGoing(live: LiveConversation | undefined, message: string | undefined): Going | undefined {
  const [going, setGoing] = useState<Going>()
  // Wait for live data: older pages belong to it, not to the snapshot.
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
