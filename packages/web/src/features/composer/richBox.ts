/** The editor's code: fetched when a person is there, and used as soon as it has come. */
import { type ComponentType, useSyncExternalStore } from "react"
import { onFirstSign } from "../../ui/onFirstSign.ts"
import type { BoxProps } from "./box.ts"

let loaded: ComponentType<BoxProps> | undefined
let loading: Promise<void> | undefined
const listeners = new Set<() => void>()

/** Without it the plain box goes on taking words, and the next composer asks again. */
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

/** It is the largest piece of the page, and the plain box takes the first words. */
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
