import type { MessageRow } from "@parlor/protocol"
import { type RefObject, useEffect, useRef } from "react"
import { type Places, placeOf } from "../tab/places.ts"
import type { Read } from "./readRow.ts"

export type Leaving = {
  readonly places: Places
  /** Undefined where messages are only shown. */
  readonly conversation: string | undefined
  readonly messages: readonly Pick<MessageRow, "id">[]
  readonly read: RefObject<Read | undefined>
  readonly seen: RefObject<number>
  readonly stuck: boolean
  /** Where one was is still to be found: it stays as it was left. */
  readonly isLooking: boolean
}

/** Keeps where one is reading when one goes elsewhere, or the page goes. */
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
