import { Suspense, useEffect, useState } from "react"
import { useOpening } from "../../ui/useOpening.ts"
import { useShortcut } from "../keyboard/useShortcut.ts"
import { LazyPalette, preloadPalette } from "./lazyPalette.ts"
import type { PaletteProps } from "./Palette.tsx"
import { PaletteWait } from "./PaletteWait.tsx"

/** Opens the palette, which is loaded lazily. What is typed meanwhile is not lost. */
export function PaletteHost(props: Omit<PaletteProps, "onClose" | "typed">) {
  const opening = useOpening()
  const [typed, setTyped] = useState("")
  useShortcut("palette", () => {
    setTyped("")
    opening.open()
  })
  useEffect(preloadPalette, [])
  const { key, close } = opening
  if (key === undefined) return null
  return (
    <Suspense fallback={<PaletteWait typed={typed} onType={setTyped} onClose={close} />}>
      <LazyPalette key={key} {...props} typed={typed} onClose={close} />
    </Suspense>
  )
}
