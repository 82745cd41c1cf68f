import { useEffect, useState } from "react"
import type { BoxProps } from "./box.ts"
import { PlainBox } from "./PlainBox.tsx"
import { preloadRichBox, useRichBox } from "./richBox.ts"

/** The plain box, then the editor in its place; never while an input method is in the middle of a word. */
export function Box(props: BoxProps) {
  const Rich = useRichBox()
  const [isComposing, setComposing] = useState(false)
  useEffect(preloadRichBox, [])
  return Rich === undefined || isComposing ? <PlainBox {...props} onComposing={setComposing} /> : <Rich {...props} />
}
