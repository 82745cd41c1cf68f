import { useEffect, useState } from "react"
import type { BoxProps } from "./box.ts"
import "./editor.css"
import { PlainBox } from "./PlainBox.tsx"
import { preloadRichBox, useRichBox } from "./richBox.ts"

/**
 * Shows the plain box until the editor is loaded, then swaps it in: never during IME composition, nor while a dialog or
 * menu will return the focus to the plain box.
 */
export function Box(props: BoxProps) {
  const { box, input } = props
  const Rich = useRichBox()
  const [isRich, setRich] = useState(Rich !== undefined)
  const [isComposing, setComposing] = useState(false)
  // A draft with chips needs the editor, so load it at once.
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
