import type { Parlor } from "@parlor/client"
import { useEffect, useSyncExternalStore } from "react"
import { usePlace } from "../place/usePlace.ts"
import { atBottom } from "./bottom.ts"
import { READ_PAUSE_MS } from "./budgets.ts"
import { useFeedRow, usePaintedFront } from "./DeskContext.ts"

/** Marks the conversation in front as read when it is visible and scrolled to the end, once per news. */
export function useReading(parlor: Parlor): void {
  const { agent, branch, page } = usePlace()
  const live = usePaintedFront()
  const seen = useSyncExternalStore(atBottom.subscribe, atBottom.get)
  const isVisible = useSyncExternalStore(onVisibility, () => document.visibilityState === "visible")
  const row = useFeedRow(agent, branch)
  const isSeen = page === "conversation" && isVisible && live !== undefined && seen.has(live)
  const news = row?.unread === true ? row.activityAt : undefined
  useEffect(() => {
    if (!isSeen || news === undefined) return
    const timer = setTimeout(() => {
      // If the request fails, it stays unread until the next news.
      parlor
        .conversation(agent, branch)
        .mark({ read: true })
        .catch(() => undefined)
    }, READ_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [parlor, agent, branch, isSeen, news])
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener)
  return () => document.removeEventListener("visibilitychange", listener)
}
