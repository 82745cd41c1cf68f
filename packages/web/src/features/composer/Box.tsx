import { useEffect, useState } from "react"
import type { BoxProps } from "./box.ts"
import "./editor.css"
import { PlainBox } from "./PlainBox.tsx"
import { preloadRichBox, useRichBox } from "./richBox.ts"

/**
 * The plain box, then the editor in its place: never while an input method is in the middle of a word, nor while the
 * focus is somewhere that will give it back to the plain box.
 */
export function Box(props: BoxProps) {
  const { box, input } = props
  const Rich = useRichBox()
  const [isRich, setRich] = useState(Rich !== undefined)
  const [isComposing, setComposing] = useState(false)
  // What the plain box cannot show as it is does not wait for anybody.
  const hasChips = (input.nodes ?? []).length > 0
  useEffect(() => preloadRichBox(hasChips), [hasChips])
  useEffect(() => {
    if (Rich === undefined || isRich) return
    const look = () => {
      const focused = document.activeElement
      if (focused === box.current || focused === document.body || focused === null) setRich(true)
    }
    look()
    window.addEventListener("focusin", look)
    return () => window.removeEventListener("focusin", look)
  }, [Rich, isRich, box])
  if (Rich === undefined || !isRich || isComposing) return <PlainBox {...props} onComposing={setComposing} />
  return <Rich {...props} />
}
