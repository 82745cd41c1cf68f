import { useEffect, useSyncExternalStore } from "react"
import { onFirstSign } from "./onFirstSign.ts"

/** A part of the page that is fetched at the first sign of a person. */
export type Loaded<T> = {
  readonly read: () => T | undefined
  readonly subscribe: (listener: () => void) => () => void
  readonly fetch: () => void
}

/** Not `React.lazy`: what is there already is drawn at once, without a fallback. */
export function loaded<T>(load: () => Promise<T>): Loaded<T> {
  let value: T | undefined
  let isLoading = false
  const listeners = new Set<() => void>()
  return {
    read: () => value,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    fetch: () => {
      if (value !== undefined || isLoading) return
      isLoading = true
      load()
        .then((part) => {
          value = part
          for (const listener of [...listeners]) listener()
        })
        // Tried again when it is next needed.
        .catch(() => undefined)
        .finally(() => {
          isLoading = false
        })
    },
  }
}

/** `isNeeded`: it is fetched now, even if that failed before. */
export function useLoaded<T>(part: Loaded<T>, isNeeded: boolean): T | undefined {
  useEffect(() => (part.read() === undefined ? onFirstSign(part.fetch) : undefined), [part])
  useEffect(() => (isNeeded ? part.fetch() : undefined), [part, isNeeded])
  return useSyncExternalStore(part.subscribe, part.read, () => undefined)
}
