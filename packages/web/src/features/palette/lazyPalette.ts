import { lazy } from "react"
import { onFirstSign } from "../../ui/onFirstSign.ts"

const load = () => import("./Palette.tsx")

export const LazyPalette = lazy(load)

/** Preloaded, so that keys typed right after the shortcut go into its input. */
export function preloadPalette(): () => void {
  return onFirstSign(() => void load().catch(() => undefined))
}
