import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react"
import { belowPx, type Scroll, sticks } from "./stick.ts"

export type Stick = {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly content: RefObject<HTMLDivElement | null>
  /** False while the person reads further up. */
  readonly stuck: boolean
  readonly jump: () => void
}

/** Keeps to the newest message while it streams, and keeps the place when older messages come in above. */
export function useStick(oldest: string | undefined): Stick {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const last = useRef<Scroll>({ top: 0, height: 0, view: 0 })
  const wanted = useRef(true)
  const [stuck, setStuck] = useState(true)

  const settle = useCallback((next: boolean) => {
    wanted.current = next
    setStuck(next)
  }, [])
  const toBottom = useCallback(() => {
    const element = scroller.current
    if (element === null) return
    element.scrollTop = element.scrollHeight
    last.current = measure(element)
  }, [])
  const jump = useCallback(() => {
    settle(true)
    toBottom()
  }, [settle, toBottom])

  useEffect(() => {
    const element = scroller.current
    const inside = content.current
    if (element === null || inside === null) return
    const onScroll = () => {
      const now = measure(element)
      settle(sticks(wanted.current, last.current, now))
      last.current = now
    }
    const onResize = () => {
      if (wanted.current) toBottom()
      else last.current = measure(element)
    }
    const watch = new ResizeObserver(onResize)
    watch.observe(inside)
    watch.observe(element)
    element.addEventListener("scroll", onScroll, { passive: true })
    return () => {
      watch.disconnect()
      element.removeEventListener("scroll", onScroll)
    }
  }, [settle, toBottom])

  // biome-ignore lint/correctness/useExhaustiveDependencies: older messages above are what moves the place
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    if (wanted.current) return toBottom()
    element.scrollTop = element.scrollHeight - element.clientHeight - belowPx(last.current)
    last.current = measure(element)
  }, [oldest, toBottom])

  return { scroller, content, stuck, jump }
}

function measure(element: HTMLElement): Scroll {
  return { top: element.scrollTop, height: element.scrollHeight, view: element.clientHeight }
}
