import type { LiveConversation, LiveState, Parlor } from "@parlor/client"
import { useEffect, useRef, useState, useSyncExternalStore } from "react"
import { browserStorage } from "../keep/keep.ts"

type Opened = { readonly place: string; readonly live: LiveConversation }

const never = () => () => undefined
const nothing = () => undefined

/**
 * The conversation in front, followed live; the SDK announces changes at most once a frame (TAB-7). What belongs to
 * another conversation never shows here (TAB-3); coming back to one shows what was last seen of it until the fresh state is in
 * (TAB-2, TAB-4).
 */
export function useLive(parlor: Parlor, agent: string, branch: string): { live?: LiveConversation; state?: LiveState } {
  const place = `${agent}/${branch}`
  const [opened, setOpened] = useState<Opened>()
  const seen = useRef(new Map<string, LiveState>())
  useEffect(() => {
    const storage = browserStorage()
    const live = parlor.conversation(agent, branch).live(storage ? { storage } : {})
    setOpened({ place: `${agent}/${branch}`, live })
    return () => live.close()
  }, [parlor, agent, branch])

  const live = opened?.place === place ? opened.live : undefined
  const fresh = useSyncExternalStore<LiveState | undefined>(live?.subscribe ?? never, live?.getState ?? nothing)
  useEffect(() => {
    if (fresh?.phase === "ready") seen.current.set(place, fresh)
  }, [place, fresh])

  const waiting = fresh === undefined || fresh.phase === "loading"
  const state = waiting ? (stale(seen.current.get(place)) ?? fresh) : fresh
  return { ...(live && { live }), ...(state && { state }) }
}

function stale(earlier: LiveState | undefined): LiveState | undefined {
  return earlier && { ...earlier, connection: "connecting" }
}
