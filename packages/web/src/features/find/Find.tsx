import { lazy, Suspense, useState } from "react"
import { useShortcut } from "../keyboard/useShortcut.ts"
import type { FindBarProps } from "./FindBar.tsx"
import { wantedFrom } from "./find.ts"

const FindBar = lazy(() => import("./FindBar.tsx"))

/** Only what is in view is in the page, so the browser's own search would miss the rest: this one takes its key. */
export function Find(props: Omit<FindBarProps, "onClose" | "asked" | "wanted">) {
  const [asked, setAsked] = useState(0)
  const [cameFrom, setCameFrom] = useState<Element | null>(null)
  const [wanted, setWanted] = useState("")
  useShortcut("find", () => {
    if (asked === 0) {
      setCameFrom(document.activeElement)
      setWanted(wantedFrom(document.getSelection()?.toString() ?? ""))
    }
    setAsked((times) => times + 1)
  })
  if (asked === 0) return null
  const close = () => {
    setAsked(0)
    if (cameFrom instanceof HTMLElement && cameFrom.isConnected) cameFrom.focus({ preventScroll: true })
  }
  return (
    <Suspense>
      <FindBar {...props} asked={asked} wanted={wanted} onClose={close} />
    </Suspense>
  )
}
