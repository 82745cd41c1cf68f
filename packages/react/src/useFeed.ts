import type { LiveFeedState } from "@parlor/client"
import { useMemo, useSyncExternalStore } from "react"
import { useViews } from "./provider.ts"

export type FeedView = LiveFeedState & { readonly reconnect: () => void }

/** The person's conversations, kept current: pinned first, then by last activity. Components share one live view. */
export function useFeed(): FeedView {
  const { feed } = useViews()
  const state = useSyncExternalStore(feed.subscribe, feed.getState, feed.getServerState)
  return useMemo(() => ({ ...state, reconnect: () => feed.reconnect() }), [state, feed])
}
