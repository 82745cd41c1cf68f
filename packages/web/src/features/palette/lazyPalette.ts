import { lazy } from "react"

const load = () => import("./Palette.tsx")

export const LazyPalette = lazy(load)

/** Once there is nothing better to do: what is typed right after its key belongs into its box. */
export function preloadPalette(): () => void {
  // Not every browser can say when it is idle.
  const idle = window.requestIdleCallback ?? ((run: () => void) => window.setTimeout(run, 1_000))
  const leave = window.cancelIdleCallback ?? window.clearTimeout
  const handle = idle(() => void load().catch(() => undefined))
  return () => leave(handle)
}
