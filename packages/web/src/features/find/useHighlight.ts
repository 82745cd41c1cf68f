import { type RefObject, useEffect, useRef } from "react"
import type { Hit } from "./find.ts"
import { clearHighlight, highlight } from "./highlight.ts"

export type Highlighted = { readonly query: string; readonly now: Hit | undefined }

/** The part of the view where a hit needs no scrolling. */
const MARGIN_PX = 70
/** How long expanded content may still change its height. */
const SETTLING_FRAMES = 12

/**
 * Highlights the words in the rendered messages, including those rendered later, and scrolls the current hit into view:
 * its message may be taller than the view.
 */
export function useHighlight(scroller: RefObject<HTMLElement | null>, { query, now }: Highlighted): void {
  const shown = useRef<Hit>(undefined)
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    let frame = 0
    let left = 0
    const mark = () => {
      frame = 0
      const range = highlight(element, { query, now })
      if (range === undefined) return
      if (shown.current !== now) left = SETTLING_FRAMES
      shown.current = now
      if (left === 0) return
      left -= 1
      bringIntoView(element, range)
      soon()
    }
    const soon = () => {
      if (frame === 0) frame = requestAnimationFrame(mark)
    }
    soon()
    const watch = new MutationObserver(soon)
    watch.observe(element, { subtree: true, childList: true, characterData: true })
    return () => {
      watch.disconnect()
      cancelAnimationFrame(frame)
    }
  }, [scroller, query, now])
  useEffect(() => clearHighlight, [])
}

/** Long outputs have their own scroll area. */
function bringIntoView(scroller: HTMLElement, range: Range): void {
  for (let box = range.startContainer.parentElement; box !== null && box !== scroller; box = box.parentElement) {
    if (box.scrollHeight <= box.clientHeight || getComputedStyle(box).overflowY !== "auto") continue
    const [place, view] = [range.getBoundingClientRect(), box.getBoundingClientRect()]
    if (place.top < view.top || place.bottom > view.bottom) box.scrollTop += place.top - view.top - view.height / 2
  }
  const place = range.getBoundingClientRect()
  const view = scroller.getBoundingClientRect()
  if (place.top >= view.top + MARGIN_PX && place.bottom <= view.bottom - MARGIN_PX) return
  scroller.scrollTop += place.top - view.top - view.height / 2
}
