/** The editor's code: fetched once the page is drawn, and used as soon as it is there. */
import { type ComponentType, useSyncExternalStore } from "react"
import type { BoxProps } from "./box.ts"

let loaded: ComponentType<BoxProps> | undefined
let loading: Promise<void> | undefined
const listeners = new Set<() => void>()

/** Without it the plain box goes on taking words, and the next composer asks again. */
export function loadRichBox(): Promise<void> {
  loading ??= import("./RichBox.tsx").then(
    (module) => {
      loaded = module.default
      for (const listener of listeners) listener()
    },
    () => {
      loading = undefined
    },
  )
  return loading
}

/** When the page has nothing more urgent to do. */
export function preloadRichBox(): () => void {
  if (loaded !== undefined) return () => undefined
  if (typeof requestIdleCallback !== "function") {
    const timer = setTimeout(() => void loadRichBox())
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(() => void loadRichBox(), { timeout: LATEST_MS })
  return () => cancelIdleCallback(handle)
}

export function useRichBox(): ComponentType<BoxProps> | undefined {
  return useSyncExternalStore(subscribe, read, readNone)
}

const LATEST_MS = 1_000
const read = () => loaded
const readNone = () => undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
