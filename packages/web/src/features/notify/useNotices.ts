import type { FeedRow } from "@parlor/protocol"
import { useEffect, useRef, useState } from "react"
import { go } from "../place/usePlace.ts"
import { allowedNow, call, wishIn } from "./calls.ts"
import { holdTheWord, type Lookout, makeLookout } from "./lookout.ts"
import { type Notice, newsIn, type Seen, stillOpen, withNotices } from "./news.ts"

export type Notices = {
  readonly shown: readonly Notice[]
  readonly dismiss: (key: string) => void
  /** An agent waited while nobody looked, and the person was never asked whether to be told. */
  readonly isOffered: boolean
  readonly endOffer: () => void
}

/**
 * Tells of news once: on the page about conversations that are not in front, through the system while nobody looks.
 * `rows` is undefined until the feed is in; `front` is the conversation one sees.
 */
export function useNotices(rows: readonly FeedRow[] | undefined, front: string | undefined): Notices {
  const [shown, setShown] = useState<readonly Notice[]>([])
  const [isOffered, setIsOffered] = useState(false)
  const seen = useRef<Seen>(undefined)
  const caller = useCaller()
  useEffect(() => {
    if (rows === undefined) return
    const news = newsIn(rows, seen.current)
    seen.current = news.seen
    const pressing = news.fresh.filter(({ kind, conversation }) => kind !== "done" && conversation !== front)
    setShown((now) => stillOpen(withNotices(now, pressing), rows, front))
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

/** One window calls for all, and none while another one is looked at. */
function useCaller() {
  const caller = useRef<(notices: readonly Notice[]) => void>(undefined)
  useEffect(() => {
    const word = holdTheWord(navigator.locks)
    const lookout: Lookout | undefined =
      typeof BroadcastChannel === "undefined"
        ? undefined
        : makeLookout(new BroadcastChannel("parlor.windows"), isVisible)
    caller.current = async (notices) => {
      if (!word.isOurs() || wishIn() !== "on" || allowedNow() !== "granted") return
      if (await lookout?.isSeen()) return
      for (const notice of notices) call(notice, openNotice)
    }
    return () => {
      caller.current = undefined
      word.release()
      lookout?.close()
    }
  }, [])
  return caller
}

function openNotice({ address }: Notice): void {
  window.focus()
  go(address)
}

function isVisible(): boolean {
  return document.visibilityState === "visible"
}
