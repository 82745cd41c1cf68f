import type { Parlor } from "@parlor/client"
import type { Marks } from "@parlor/protocol"
import { useEffect, useMemo, useState, useSyncExternalStore } from "react"
import { ownDrafts } from "../draft/draft.ts"
import { useOwnPart } from "../keep/OwnContext.ts"
import { addressOf, conversationOf, firstAgent } from "../place/place.ts"
import { go, usePlace } from "../place/usePlace.ts"
import { type Note, noteOf } from "../status/problemWords.ts"
import { useDesk, useFeed } from "./DeskContext.ts"
import {
  type Listing,
  listingOf,
  movedTo,
  neighbor,
  placeOf,
  settledBegun,
  settledOrder,
  type Tab,
  titleOf,
  withClosed,
} from "./tabList.ts"

export type Tabs = Listing & {
  /** The key of the one in front. */
  readonly front: string
  readonly canReopen: boolean
  /** The announcement for screen readers. */
  readonly said: string
  /** A change that the server rejected. */
  readonly refusal: Note | undefined
  readonly close: (tab: Tab) => void
  readonly reopen: () => void
  readonly move: (tab: Tab, index: number) => void
  readonly mark: (tab: Tab, marks: Marks) => void
}

/** This person's tabs and their actions. */
export function useTabs(parlor: Parlor): Tabs {
  const { kept } = useDesk()
  const { rows, phase } = useFeed()
  const lists = useSyncExternalStore(kept.lists.subscribe, kept.lists.get)
  const { agent, branch } = usePlace()
  const front = conversationOf({ agent, branch })
  const [said, say] = useState("")
  const [refusal, setRefusal] = useState<Note>()
  const { isDrafted, begun } = useBegun(lists.begun, front)
  const listing = useMemo(
    () => listingOf(rows, { ...lists, begun }, { agent, branch }),
    [rows, lists, begun, agent, branch],
  )
  const { open } = listing
  useEffect(() => {
    if (kept.lists.get().closed.some(({ key }) => key === front))
      kept.change({ closed: kept.lists.get().closed.filter(({ key }) => key !== front) })
  }, [kept, front])
  useEffect(() => {
    if (phase !== "ready") return
    const settled = settledBegun(rows, kept.lists.get().begun, { key: front, isDrafted })
    if (settled !== kept.lists.get().begun) kept.change({ begun: settled })
  }, [kept, rows, phase, front, isDrafted])
  useEffect(() => {
    if (phase !== "ready") return
    const order = settledOrder(open, kept.lists.get().order)
    if (order !== kept.lists.get().order) kept.change({ order })
  }, [kept, open, phase])

  return {
    ...listing,
    front,
    canReopen: lists.closed.length > 0,
    said,
    refusal,
    close(tab) {
      const next = neighbor(open, tab.key)
      if (tab.key === front) go(next ? addressOf(next.agent, next.branch) : addressOf(firstAgent))
      kept.change({ closed: withClosed(lists.closed, tab) })
      say(`Closed ${titleOf(tab)}`)
    },
    reopen() {
      const last = lists.closed.at(-1)
      if (last === undefined) return
      kept.change({ closed: lists.closed.slice(0, -1) })
      const { agent, branch } = placeOf(last.key)
      go(addressOf(agent, branch))
    },
    move(tab, index) {
      const keys = movedTo(open, tab.key, index)
      const others = lists.order.filter((key) => !keys.includes(key))
      kept.change({ order: [...keys, ...others] })
      say(`Moved ${titleOf(tab)} to ${keys.indexOf(tab.key) + 1} of ${keys.length}`)
    },
    mark(tab, marks) {
      parlor
        .conversation(tab.agent, tab.branch)
        .mark(marks)
        .then(
          () => setRefusal(undefined),
          (error: unknown) => setRefusal(noteOf(error)),
        )
    },
  }
}

/** The tabs that still have a draft, and whether the one in front does. */
function useBegun(kept: readonly string[], front: string) {
  const drafts = useOwnPart(ownDrafts)
  const find = () => JSON.stringify(kept.filter(drafts.has))
  const found = useSyncExternalStore(drafts.subscribe, find, find)
  const has = () => drafts.has(front)
  const isDrafted = useSyncExternalStore(drafts.subscribe, has, has)
  const begun = useMemo(() => JSON.parse(found) as readonly string[], [found])
  return { begun, isDrafted }
}
