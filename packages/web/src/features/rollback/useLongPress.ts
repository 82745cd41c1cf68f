import { type RefObject, useEffect, useState } from "react"
import { longPressOn } from "./longPress.ts"

/** Whether the parent element was long-pressed, until something else is touched. */
export function useLongPress(inside: RefObject<HTMLElement | null>): boolean {
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    const around = inside.current?.parentElement
    return around ? longPressOn(around, setHeld) : undefined
  }, [inside])
  return isHeld
}
