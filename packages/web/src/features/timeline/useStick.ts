import { type RefObject, useCallback, useEffect, useRef, useState } from "react"
import { type Scroll, sticks } from "./stick.ts"

export type Stick = {
  /** False while the person reads further up. */
  readonly stuck: boolean
  /** Sticks to the newest from now on. */
  readonly jump: () => void
  /** Stops sticking to the newest. */
  readonly leave: () => void
  /** Call when the content may have changed size: scrolls to the newest before the next paint. */
  readonly settle: () => void
  /** Scrolls on behalf of the list, which is never the person's wish: it may go up where no size changed (TAB-51). */
  readonly carry: (scroll: () => void) => void
}

const HANDS = ["wheel", "touchmove", "pointerdown", "keydown"] as const
/** How long after a hand was at work a movement may be its own: a list goes on scrolling when the finger has left. */
const TOUCHED_MS = 1_000

/** Sticks to the newest message while it streams, until the person scrolls up. */
export function useStick(scroller: RefObject<HTMLDivElement | null>): Stick {
  const last = useRef<Scroll>({ top: 0, height: 0, view: 0 })
  const wanted = useRef(true)
  const touchedAt = useRef(Number.NEGATIVE_INFINITY)
  const [stuck, setStuck] = useState(true)

  const want = useCallback((next: boolean) => {
    if (wanted.current === next) return
    wanted.current = next
    setStuck(next)
  }, [])
  /** Reads what the person has scrolled: the list may move or render before the browser fires the scroll event. */
  const look = useCallback(
    (element: HTMLElement) => {
      const now = measure(element)
      want(sticks(wanted.current, last.current, now, isRecent(touchedAt.current)))
      last.current = now
    },
    [want],
  )
  const settle = useCallback(() => {
    const element = scroller.current
    if (element === null || !wanted.current) return
    look(element)
    if (!wanted.current) return
    const bottom = element.scrollHeight - element.clientHeight
    if (element.scrollTop < bottom) element.scrollTop = bottom
    last.current = measure(element)
  }, [scroller, look])
  const carry = useCallback(
    (scroll: () => void) => {
      const element = scroller.current
      if (element === null) return scroll()
      // On its way to a message, the list is still at the end: that is no wish to stay.
      if (wanted.current) look(element)
      scroll()
      last.current = measure(element)
    },
    [scroller, look],
  )
  const jump = useCallback(() => {
    if (scroller.current !== null) last.current = measure(scroller.current)
    want(true)
    settle()
  }, [scroller, want, settle])
  const leave = useCallback(() => want(false), [want])

  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const onScroll = () => look(element)
    const watch = new ResizeObserver(() => {
      settle()
      last.current = measure(element)
    })
    watch.observe(element)
    // Runs before the list's own listener, which renders at once and depends on whether to stick.
    const early = { capture: true, passive: true }
    element.addEventListener("scroll", onScroll, early)
    const touch = () => {
      touchedAt.current = performance.now()
    }
    for (const hand of HANDS) window.addEventListener(hand, touch, early)
    return () => {
      watch.disconnect()
      for (const hand of HANDS) window.removeEventListener(hand, touch, early)
      element.removeEventListener("scroll", onScroll, early)
    }
  }, [scroller, look, settle])

  return { stuck, jump, leave, settle, carry }
}

function isRecent(at: number): boolean {
  return performance.now() - at < TOUCHED_MS
}

function measure(element: HTMLElement): Scroll {
  return { top: element.scrollTop, height: element.scrollHeight, view: element.clientHeight }
}
