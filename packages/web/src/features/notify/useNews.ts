import type { FeedRow } from "@parlor/protocol"
import { useEffect, useRef, useState } from "react"
import { go } from "../place/usePlace.ts"
import { allowedNow, call, callByWorker, wishIn } from "./calls.ts"
import { holdTheWord, type Lookout, makeLookout } from "./lookout.ts"
import { type NewsItem, newsIn, type Seen, stillOpen, withNews } from "./news.ts"

export type NewsShown = {
  readonly shown: readonly NewsItem[]
  readonly dismiss: (key: string) => void
  /** An agent waited while no window was visible, and the person was never asked about notifications. */
  readonly isOffered: boolean
  readonly endOffer: () => void
}

/**
 * Shows each item once: in the page for conversations that are not in front, on the desktop while no window is visible.
 * `rows` is undefined until the feed is loaded; `front` is the visible conversation.
 */
export function useNews(rows: readonly FeedRow[] | undefined, front: string | undefined): NewsShown {
  const [shown, setShown] = useState<readonly NewsItem[]>([])
  const [isOffered, setIsOffered] = useState(false)
  const seen = useRef<Seen>(undefined)
  const caller = useCaller()
  useEffect(() => {
    if (rows === undefined) return
    const news = newsIn(rows, seen.current)
    seen.current = news.seen
    const pressing = news.fresh.filter(({ kind, conversation }) => kind !== "done" && conversation !== front)
    setShown((now) => stillOpen(withNews(now, pressing), rows, front))
    if (news.fresh.length === 0 || isVisible()) return
    caller.current?.(news.fresh)
    const isUndecided = wishIn() === undefined && allowedNow() === "default"
    if (isUndecided && news.fresh.some(({ kind }) => kind === "asks")) setIsOffered(true)
  }, [rows, front, caller])
  return {
    shown,
    dismiss: (key) => setShown((now) => now.filter((one) => one.key !== key)),
    isOffered,
    endOffer: () => setIsOffered(false),
  }
}

/** One window notifies for all, and none while another is visible. */
function useCaller() {
  const caller = useRef<(items: readonly NewsItem[]) => void>(undefined)
  useEffect(() => {
    const word = holdTheWord(navigator.locks)
    const lookout: Lookout | undefined =
      typeof BroadcastChannel === "undefined"
        ? undefined
        : makeLookout(new BroadcastChannel("parlor.windows"), isVisible)
    caller.current = async (items) => {
      if (!word.isOurs() || wishIn() !== "on" || allowedNow() !== "granted") return
      if (await lookout?.isSeen()) return
      for (const item of items) if (!call(item, openItem)) void callByWorker(item)
    }
    return () => {
      caller.current = undefined
      word.release()
      lookout?.close()
    }
  }, [])
  return caller
}

function openItem({ address }: NewsItem): void {
  window.focus()
  go(address)
}

function isVisible(): boolean {
  return document.visibilityState === "visible"
}
