/** Loads the editor's chunk at the first interaction and uses it as soon as it is loaded. */
import { type ComponentType, useSyncExternalStore } from "react"
import { onFirstSign } from "../../ui/onFirstSign.ts"
import type { BoxProps } from "./box.ts"

let loaded: ComponentType<BoxProps> | undefined
let loading: Promise<void> | undefined
const listeners = new Set<() => void>()

/** If it fails to load, the plain box keeps working and the next composer tries again. */
function loadRichBox(): Promise<void> {
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

/** It is the largest chunk of the page, and the plain box handles the first keystrokes. */
export function preloadRichBox(isNeeded: boolean): () => void {
  if (loaded === undefined && !isNeeded) return onFirstSign(() => void loadRichBox())
  void loadRichBox()
  return () => undefined
}

export function useRichBox(): ComponentType<BoxProps> | undefined {
  return useSyncExternalStore(subscribe, read, readNone)
}

const read = () => loaded
const readNone = () => undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
