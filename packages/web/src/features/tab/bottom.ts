/** Which conversations are scrolled to the end. Set by the timeline, used to mark them as read. */
import type { LiveConversation } from "@parlor/client"
import { useEffect } from "react"
import { signalOf } from "../keep/signal.ts"

export const atBottom = signalOf<ReadonlySet<LiveConversation>>(new Set())

/** Called by the timeline of a conversation. */
export function useBottom(live: LiveConversation | undefined, isSeen: boolean): void {
  useEffect(() => {
    if (live === undefined || !isSeen) return
    atBottom.set(new Set(atBottom.get()).add(live))
    return () => {
      const rest = new Set(atBottom.get())
      rest.delete(live)
      atBottom.set(rest)
    }
  }, [live, isSeen])
}
