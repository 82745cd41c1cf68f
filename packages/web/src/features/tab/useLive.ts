import { type LiveConversation, type LiveState, loadingState, type Parlor } from "@parlor/client"
import { useId, useLayoutEffect, useMemo } from "react"
import { useOwn, useOwnPart } from "../keep/OwnContext.ts"
import { conversationOf } from "../place/place.ts"
import { here } from "../place/usePlace.ts"
import { useStream } from "../status/useLink.ts"
import { useDesk, useFeedRow, usePane } from "./DeskContext.ts"
import { messagesFor, ownPlaces } from "./places.ts"

export type Live = {
  readonly live?: LiveConversation
  readonly state: LiveState
  /** Set while what is shown is from then, and the newest is on its way (TAB-4). */
  readonly asOf?: number
}

/**
 * A conversation, followed live; the SDK announces changes at most once a frame (TAB-7). What belongs to another one never
 * shows here (TAB-3); until the newest is there, what was last seen of it does (TAB-2).
 */
export function useLive(parlor: Parlor, agent: string, branch: string): Live {
  const desk = useDesk()
  const { outbox } = useOwn()
  const places = useOwnPart(ownPlaces)
  const pane = useId()
  const key = conversationOf({ agent, branch })
  useLayoutEffect(() => {
    // The address is asked when it opens, and not watched: a pane is told of another place after the address has changed.
    const isFront = conversationOf(here()) === key
    const messages = messagesFor(places.read(key))
    return desk.open(parlor.conversation(agent, branch), {
      pane,
      isFront,
      ...(outbox && { storage: outbox }),
      ...(messages !== undefined && { messages }),
    })
  }, [desk, pane, parlor, agent, branch, key, outbox, places])
  const opened = usePane(pane)
  const title = useFeedRow(agent, branch)?.title ?? ""
  const untitled = opened.key === key ? opened.state : undefined
  const state = useMemo(() => titled(untitled, title), [untitled, title])
  useStream(`conversation ${key}`, state, opened.key === key ? opened.live : undefined)
  if (opened.key !== key) return { state }
  const { live, asOf } = opened
  return { ...(live && { live }), state, ...(asOf !== undefined && { asOf }) }
}

/** Until the conversation tells its title itself, the feed does: the first thing one sees is what it is called. */
function titled(state: LiveState | undefined, title: string): LiveState {
  const known = state ?? loadingState
  return known.phase === "loading" && known.title !== title ? { ...known, title } : known
}
