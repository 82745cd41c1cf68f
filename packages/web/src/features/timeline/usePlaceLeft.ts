import type { MessageRow } from "@parlor/protocol"
import { type RefObject, useEffect, useRef } from "react"
import { type Places, placeOf } from "../tab/places.ts"
import type { Read } from "./readRow.ts"

export type Leaving = {
  readonly places: Places
  /** Undefined where messages are read-only. */
  readonly conversation: string | undefined
  readonly messages: readonly Pick<MessageRow, "id">[]
  readonly read: RefObject<Read | undefined>
  readonly seen: RefObject<number>
  readonly stuck: boolean
  /** The position is still being restored, so don't overwrite it. */
  readonly isLooking: boolean
}

/** Saves the reading position when leaving the conversation or the page. */
export function usePlaceLeft(leaving: Leaving): void {
  const { conversation } = leaving
  const latest = useRef(leaving)
  latest.current = leaving
  useEffect(() => {
    if (conversation === undefined) return
    const leave = () => {
      const { places, messages, read, seen, stuck, isLooking } = latest.current
      if (isLooking) return
      const place = stuck || read.current === undefined ? undefined : placeOf(read.current, messages, seen.current)
      places.write(conversation, place)
    }
    window.addEventListener("pagehide", leave)
    return () => {
      window.removeEventListener("pagehide", leave)
      leave()
    }
  }, [conversation])
}
