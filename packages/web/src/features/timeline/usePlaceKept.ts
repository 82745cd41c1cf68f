import { type RefObject, useEffect, useLayoutEffect, useRef } from "react"
import { movedFrom, type Read, readIn } from "./readRow.ts"
import type { Rows } from "./useTimeline.ts"

/**
 * Keeps the reading position to the pixel when older messages are added above. The list anchors its rows; this corrects
 * for the former first row, which may lose its author line or gain a day line. Returns the message being read.
 */
export function usePlaceKept(
  { scroller, carry }: Pick<Rows, "scroller" | "carry">,
  oldest: string | undefined,
): RefObject<Read | undefined> {
  const read = useRef<Read>(undefined)
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const note = () => {
      read.current = readIn(element)
    }
    element.addEventListener("scroll", note, { passive: true })
    return () => element.removeEventListener("scroll", note)
  }, [scroller])
  // biome-ignore lint/correctness/useExhaustiveDependencies: older messages above change the position
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null || read.current === undefined) return
    const moved = movedFrom(element, read.current) ?? 0
    if (moved === 0) return
    carry(() => {
      element.scrollTop += moved
    })
  }, [oldest, scroller, carry])
  return read
}
