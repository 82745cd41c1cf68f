import type { LiveConversation, LiveState, Parlor } from "@parlor/client"
import { useEffect, useRef, useState, useSyncExternalStore } from "react"
import { browserStorage } from "../keep/keep.ts"

type Opened = { readonly agent: string; readonly live: LiveConversation }

const never = () => () => undefined
const nothing = () => undefined

/**
 * The conversation in front, followed live; the SDK announces changes at most once a frame (TAB-7). What belongs to
 * another agent never shows here (TAB-3); coming back to one shows what was last seen of it until the fresh state is in
 * (TAB-2, TAB-4).
 */
export function useLive(parlor: Parlor, agent: string): { live?: LiveConversation; state?: LiveState } {
  const [opened, setOpened] = useState<Opened>()
  const seen = useRef(new Map<string, LiveState>())
  useEffect(() => {
    const storage = browserStorage()
    const live = parlor.conversation(agent).live(storage ? { storage } : {})
    setOpened({ agent, live })
    return () => live.close()
  }, [parlor, agent])

  const live = opened?.agent === agent ? opened.live : undefined
  const fresh = useSyncExternalStore<LiveState | undefined>(live?.subscribe ?? never, live?.getState ?? nothing)
  useEffect(() => {
    if (fresh?.phase === "ready") seen.current.set(agent, fresh)
  }, [agent, fresh])

  const waiting = fresh === undefined || fresh.phase === "loading"
  const state = waiting ? (stale(seen.current.get(agent)) ?? fresh) : fresh
  return { ...(live && { live }), ...(state && { state }) }
}

function stale(earlier: LiveState | undefined): LiveState | undefined {
  return earlier && { ...earlier, connection: "connecting" }
}
