import { useEffect, useRef, useState } from "react"
import { paceMs } from "./pace.ts"

/** The text to render while it grows, possibly slightly behind. Catches up at the end. */
export function usePaced(text: string, streaming: boolean): string {
  const [shown, setShown] = useState(text)
  const drawnAt = useRef(0)
  const pause = streaming ? paceMs(text.length) : 0
  useEffect(() => {
    if (pause === 0) return setShown(text)
    const timer = setTimeout(
      () => {
        drawnAt.current = Date.now()
        setShown(text)
      },
      Math.max(0, drawnAt.current + pause - Date.now()),
    )
    return () => clearTimeout(timer)
  }, [text, pause])
  return pause === 0 ? text : shown
}
