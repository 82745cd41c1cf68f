import type { FeedRow } from "@parlor/protocol"
import { createContext, useContext, useSyncExternalStore } from "react"
import type { Desk, FeedState } from "./desk.ts"
import type { Residents } from "./residency.ts"

export const DeskContext = createContext<Desk | undefined>(undefined)

export function useDesk(): Desk {
  const desk = useContext(DeskContext)
  if (desk === undefined) throw new Error("There are tabs only inside of the room.")
  return desk
}

/** The person's conversations as the feed has them, and how the connection to it is. */
export function useFeed(): FeedState {
  const { feed } = useDesk()
  return useSyncExternalStore(feed.subscribe, feed.get, feed.get)
}

/** One conversation's row. Whoever reads it is drawn again when it changes, and not for every other. */
export function useFeedRow(agent: string, branch: string): FeedRow | undefined {
  const { feed } = useDesk()
  const find = () => feed.get().rows.find((row) => row.agent === agent && row.branch === branch)
  return useSyncExternalStore(feed.subscribe, find, find)
}

export function useResidents(): Residents {
  const { residents } = useDesk()
  return useSyncExternalStore(residents.subscribe, residents.get, residents.get)
}
