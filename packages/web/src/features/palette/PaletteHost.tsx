import { Suspense, useEffect, useState } from "react"
import { useShortcut } from "../keyboard/useShortcut.ts"
import { LazyPalette, preloadPalette } from "./lazyPalette.ts"
import type { PaletteProps } from "./Palette.tsx"

/** Opens the palette, which is loaded lazily. */
export function PaletteHost(props: Omit<PaletteProps, "onClose">) {
  const [isOpen, setIsOpen] = useState(false)
  useShortcut("palette", () => setIsOpen(true))
  useEffect(preloadPalette, [])
  if (!isOpen) return null
  return (
    <Suspense>
      <LazyPalette {...props} onClose={() => setIsOpen(false)} />
    </Suspense>
  )
}
