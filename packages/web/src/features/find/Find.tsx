import { lazy, Suspense, useRef, useState } from "react"
import { useShortcut } from "../keyboard/useShortcut.ts"
import type { FindBarProps } from "./FindBar.tsx"
import { wantedFrom } from "./wanted.ts"

const FindBar = lazy(() => import("./FindBar.tsx"))

/**
 * Only visible messages are in the DOM, so the browser's own search would miss the rest; this one takes over its
 * shortcut.
 */
export function Find(props: Omit<FindBarProps, "onClose" | "onFocusFrom" | "asked" | "wanted">) {
  const [asked, setAsked] = useState(0)
  const cameFrom = useRef<EventTarget | null>(null)
  const [wanted, setWanted] = useState("")
  useShortcut("find", () => {
    if (asked === 0) {
      cameFrom.current = null
      setWanted(wantedFrom(document.getSelection()?.toString() ?? ""))
    }
    setAsked((times) => times + 1)
  })
  if (asked === 0) return null
  const close = () => {
    setAsked(0)
    if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus({ preventScroll: true })
  }
  return (
    <Suspense>
      <FindBar
        {...props}
        asked={asked}
        wanted={wanted}
        onClose={close}
        onFocusFrom={(element) => {
          cameFrom.current ??= element
        }}
      />
    </Suspense>
  )
}
