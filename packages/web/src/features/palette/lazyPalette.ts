import { lazy } from "react"
import { onFirstSign } from "../../ui/onFirstSign.ts"

const load = () => import("./Palette.tsx")

export const LazyPalette = lazy(load)

/** Before its key is pressed: what is typed right after that belongs into its box. */
export function preloadPalette(): () => void {
  return onFirstSign(() => void load().catch(() => undefined))
}
