/** The editor's code: fetched when a person is there, and used as soon as it has come. */
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

/** At the first sign of a person: until then nobody waits for it, and it is the largest piece of the page. */
export function preloadRichBox(): () => void {
  if (loaded !== undefined) return () => undefined
  const load = () => void loadRichBox()
  const leave = () => {
    for (const sign of SIGNS) window.removeEventListener(sign, load, true)
  }
  for (const sign of SIGNS) window.addEventListener(sign, load, { capture: true, once: true, passive: true })
  return leave
}

export function useRichBox(): ComponentType<BoxProps> | undefined {
  return useSyncExternalStore(subscribe, read, readNone)
}

const SIGNS = ["pointermove", "pointerdown", "keydown", "input", "dragenter"] as const
const read = () => loaded
const readNone = () => undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
