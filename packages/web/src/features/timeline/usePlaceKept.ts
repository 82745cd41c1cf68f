import { type RefObject, useEffect, useLayoutEffect, useRef } from "react"
import { movedFrom, type Read, readIn } from "./readRow.ts"

/**
 * When older messages come in above, what is read stays where it is, to the pixel. The list anchors its rows by itself;
 * the row that was the first one may lose its name or gain a day above it, and that is made up for here. Returns what is
 * read.
 */
export function usePlaceKept(
  scroller: RefObject<HTMLDivElement | null>,
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: older messages above are what moves the place
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null || read.current === undefined) return
    const moved = movedFrom(element, read.current) ?? 0
    if (moved !== 0) element.scrollTop += moved
  }, [oldest, scroller])
  return read
}
