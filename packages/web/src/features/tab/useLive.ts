import { type LiveConversation, type LiveState, loadingState, type Parlor } from "@parlor/client"
import { useEffect, useId, useLayoutEffect, useMemo } from "react"
import { useOwn, useOwnPart } from "../keep/OwnContext.ts"
import { conversationOf, isNewChat } from "../place/place.ts"
import { here } from "../place/usePlace.ts"
import { useStream } from "../status/useLink.ts"
import { useDesk, useFeedRow, usePane } from "./DeskContext.ts"
import { messagesFor, ownPlaces } from "./places.ts"

export type Live = {
  readonly live?: LiveConversation
  readonly state: LiveState
  /** Set while a snapshot from that time is shown and the newest is loading (TAB-4). */
  readonly asOf?: number
}

/**
 * A live conversation; the SDK announces changes at most once per frame (TAB-7). Never shows data of another
 * conversation (TAB-3); shows the last seen state until the newest is loaded (TAB-2).
 */
export function useLive(parlor: Parlor, agent: string, branch: string): Live {
  const desk = useDesk()
  const { outbox } = useOwn()
  const places = useOwnPart(ownPlaces)
  const pane = useId()
  const key = conversationOf({ agent, branch })
  useLayoutEffect(() => {
    // Reads the address once when it opens; the pane is rendered again after the address changes.
    const isFront = conversationOf(here()) === key
    const messages = messagesFor(places.read(key))
    return desk.open(parlor.conversation(agent, branch), {
      pane,
      isFront,
      // Asking for it would only be refused; should another window create it, the feed tells.
      isNew: isNewChat(branch) && !desk.feed.get().rows.some((row) => conversationOf(row) === key),
      ...(outbox && { storage: outbox }),
      ...(messages !== undefined && { messages }),
    })
  }, [desk, pane, parlor, agent, branch, key, outbox, places])
  const opened = usePane(pane)
  const row = useFeedRow(agent, branch)
  const title = row?.title ?? ""
  const untitled = opened.key === key ? opened.state : undefined
  const isMadeElsewhere = row !== undefined && untitled?.phase === "ready" && untitled.status === null
  useEffect(() => {
    if (isMadeElsewhere) opened.live?.reconnect()
  }, [isMadeElsewhere, opened.live])
  const state = useMemo(() => titled(untitled, title), [untitled, title])
  useStream(`conversation ${key}`, state, opened.key === key ? opened.live : undefined)
  if (opened.key !== key) return { state }
  const { live, asOf } = opened
  return { ...(live && { live }), state, ...(asOf !== undefined && { asOf }) }
}

/** Uses the feed's title until the conversation's own is loaded, so that the title appears first. */
function titled(state: LiveState | undefined, title: string): LiveState {
  const known = state ?? loadingState
  return known.phase === "loading" && known.title !== title ? { ...known, title } : known
}
