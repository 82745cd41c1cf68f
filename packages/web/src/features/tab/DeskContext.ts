import type { LiveConversation } from "@parlor/client"
import type { FeedRow } from "@parlor/protocol"
import { createContext, useContext, useSyncExternalStore } from "react"
import type { Desk, FeedState } from "./desk.ts"
import { nothingShown, paintedFront, type Shown } from "./machine.ts"
import type { Residents } from "./residency.ts"

export const DeskContext = createContext<Desk | undefined>(undefined)

export function useDesk(): Desk {
  const desk = useContext(DeskContext)
  if (desk === undefined) throw new Error("Tabs are only available inside the room.")
  return desk
}

/** The person's conversations from the feed, and the feed's connection state. */
export function useFeed(): FeedState {
  const { feed } = useDesk()
  return useSyncExternalStore(feed.subscribe, feed.get, feed.get)
}

/** One conversation's row. Re-renders only when that row changes. */
export function useFeedRow(agent: string, branch: string): FeedRow | undefined {
  const feed = useContext(DeskContext)?.feed
  const find = () => feed?.get().rows.find((row) => row.agent === agent && row.branch === branch)
  return useSyncExternalStore(feed?.subscribe ?? never, find, find)
}

const never = () => () => undefined

export function useResidents(): Residents {
  const { tabs } = useDesk()
  const get = () => tabs.get().residents
  return useSyncExternalStore(tabs.subscribe, get, get)
}

/** What a pane shows. */
export function usePane(pane: string): Shown {
  const { tabs } = useDesk()
  const get = () => tabs.get().panes.get(pane) ?? nothingShown
  return useSyncExternalStore(tabs.subscribe, get, get)
}

/** The stream of the conversation in front, once its newest messages are painted. */
export function usePaintedFront(): LiveConversation | undefined {
  const { tabs } = useDesk()
  const get = () => paintedFront(tabs.get())
  return useSyncExternalStore(tabs.subscribe, get, get)
}
