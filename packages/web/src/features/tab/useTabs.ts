import type { Parlor } from "@parlor/client"
import type { Marks } from "@parlor/protocol"
import { useEffect, useMemo, useState, useSyncExternalStore } from "react"
import { ownDrafts } from "../draft/draft.ts"
import { useOwnPart } from "../keep/OwnContext.ts"
import { addressOf, conversationOf, newChatBranch } from "../place/place.ts"
import { go, usePlace } from "../place/usePlace.ts"
import { type Note, noteOf } from "../status/problemWords.ts"
import { useDesk, useFeed } from "./DeskContext.ts"
import { removeUndoably } from "./removal.ts"
import { isListed, type Listing, lastDeleted, listingOf, settledBegun, type Tab } from "./tabList.ts"

/** Something that was just done, and how to undo it. */
type Undoable = { readonly kind: "archived"; readonly tabs: readonly Tab[] }

export type Tabs = Listing & {
  /** The key of the one in front. */
  readonly front: string
  /** Just archived, until it is undone or dismissed. */
  readonly undoable: Undoable | undefined
  /** A change that the server rejected. */
  readonly refusal: Note | undefined
  readonly mark: (tab: Tab, marks: Marks) => void
  readonly archive: (tabs: readonly Tab[]) => void
  readonly remove: (tabs: readonly Tab[]) => void
  readonly restore: (tabs: readonly Tab[]) => void
  readonly undoArchive: () => void
  readonly dismissUndo: () => void
}

/** This person's conversations and their actions. */
export function useTabs(parlor: Parlor): Tabs {
  const { kept } = useDesk()
  const { rows, phase } = useFeed()
  const lists = useSyncExternalStore(kept.lists.subscribe, kept.lists.get)
  const { agent, branch } = usePlace()
  const front = conversationOf({ agent, branch })
  const [undoable, setUndoable] = useState<Undoable>()
  const [refusal, setRefusal] = useState<Note>()
  const { isDrafted, begun } = useBegun(lists.begun, front)
  const listing = useMemo(() => listingOf(rows, { begun }, { agent, branch }), [rows, begun, agent, branch])
  useEffect(() => {
    if (phase !== "ready") return
    const settled = settledBegun(rows, kept.lists.get().begun, { key: front, isDrafted })
    if (settled !== kept.lists.get().begun) kept.change({ begun: settled })
  }, [kept, rows, phase, front, isDrafted])

  const attempt = (work: readonly Promise<unknown>[]) =>
    Promise.all(work).then(
      () => setRefusal(undefined),
      (error: unknown) => setRefusal(noteOf(error)),
    )
  const marked = (tabs: readonly Tab[], marks: Marks) =>
    attempt(tabs.map((tab) => parlor.conversation(tab.agent, tab.branch).mark(marks)))
  /** The conversation in front makes room for a new one. */
  const leave = (tabs: readonly Tab[]) => {
    const gone = tabs.find(({ key }) => key === front)
    if (gone !== undefined) go(addressOf(gone.agent, newChatBranch()))
  }
  return {
    ...listing,
    front,
    undoable,
    refusal,
    mark: (tab, marks) => void marked([tab], marks),
    archive(tabs) {
      leave(tabs)
      setUndoable({ kind: "archived", tabs })
      void marked(tabs, { archived: true })
    },
    remove(tabs) {
      leave(tabs)
      setUndoable(undefined)
      void attempt(tabs.map((tab) => removeUndoably(parlor, tab, rows)))
    },
    restore(tabs) {
      const first = tabs.find(isListed)
      void marked(tabs, { deleted: false }).then(
        () => first !== undefined && tabs.filter(isListed).length === 1 && go(addressOf(first.agent, first.branch)),
      )
    },
    undoArchive() {
      if (undoable === undefined) return
      setUndoable(undefined)
      void marked(undoable.tabs, { archived: false })
    },
    dismissUndo: () => setUndoable(undefined),
  }
}

/** What the person can undo now: the last deletion, unless something was archived since. */
export function undoOf({ leaving, undoable }: Pick<Tabs, "leaving" | "undoable">) {
  if (undoable !== undefined) return undoable
  const tabs = lastDeleted(leaving)
  return tabs.length === 0 ? undefined : ({ kind: "deleted", tabs } as const)
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
