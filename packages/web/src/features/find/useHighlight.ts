import { type RefObject, useEffect, useRef } from "react"
import type { Hit } from "./find.ts"
import { clearHighlight, highlight } from "./highlight.ts"

export type Highlighted = { readonly query: string; readonly now: Hit | undefined }

/** Where a found place may stand in the view without being moved. */
const MARGIN_PX = 70

/**
 * Marks the words in the messages that are in the page, also in those that come into it, and brings the one that is gone
 * to into view: its message may be longer than the view.
 */
export function useHighlight(scroller: RefObject<HTMLElement | null>, { query, now }: Highlighted): void {
  const shown = useRef<Hit>(undefined)
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    let frame = 0
    const mark = () => {
      frame = 0
      const range = highlight(element, { query, now })
      if (range === undefined || shown.current === now) return
      shown.current = now
      bringIntoView(element, range)
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

function bringIntoView(scroller: HTMLElement, range: Range): void {
  const place = range.getBoundingClientRect()
  const view = scroller.getBoundingClientRect()
  if (place.top >= view.top + MARGIN_PX && place.bottom <= view.bottom - MARGIN_PX) return
  scroller.scrollTop += place.top - view.top - view.height / 2
}
