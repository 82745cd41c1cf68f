import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react"
import type { ReadingPlace } from "../tab/places.ts"
import { standAt } from "./standAt.ts"
import type { Rows } from "./useTimeline.ts"

export type Finding = {
  readonly rows: Pick<Rows, "scroller" | "stuck" | "jump" | "leave" | "aim">
  readonly keys: readonly string[]
  /** The saved position; undefined at the end or when going elsewhere. */
  readonly place: ReadingPlace | undefined
  /** Live data is shown, not a snapshot. */
  readonly isNewest: boolean
  /** The number of the newest message seen. */
  readonly seen: RefObject<number>
}

/**
 * Restores the reading position once its message is loaded, and again when live data arrives; falls back to the newest.
 * Stops when the person scrolls. Returns whether it is still pending.
 */
export function usePlaceFound({ rows, keys, place, isNewest, seen }: Finding): boolean {
  const [isOver, setOver] = useState(place === undefined)
  const hasLeft = useRef(false)
  const isTaken = useTaken(rows.scroller)
  const index = place === undefined ? -1 : keys.indexOf(place.message)
  const isThere = index !== -1
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the message or the newest one is loaded, not on scrolling
  useLayoutEffect(() => {
    const list = rows.scroller.current
    if (place === undefined || isOver || list === null) return
    if (isNewest) setOver(true)
    const isElsewhere = isTaken.current || (hasLeft.current && rows.stuck)
    if (isElsewhere) return
    if (!isThere) return isNewest && hasLeft.current ? rows.jump() : undefined
    hasLeft.current = true
    rows.leave()
    seen.current = place.seen
    return standAt(list, { row: place.message, top: place.topPx }, () => rows.aim(index, place.topPx))
  }, [isThere, isNewest])
  return !isOver
}

const HANDS = ["wheel", "touchstart", "pointerdown", "keydown"] as const

/** Whether the person has scrolled. */
function useTaken(scroller: RefObject<HTMLElement | null>): RefObject<boolean> {
  const isTaken = useRef(false)
  useEffect(() => {
    const element = scroller.current
    const take = () => {
      isTaken.current = true
    }
    for (const hand of HANDS) element?.addEventListener(hand, take, { passive: true })
    return () => {
      for (const hand of HANDS) element?.removeEventListener(hand, take)
    }
  }, [scroller])
  return isTaken
}
