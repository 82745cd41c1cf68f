import { useSyncExternalStore } from "react"
import { memoryPlace } from "./place.ts"

/** The agent one came from, while memories are in front. */
export function useMemoryPlace(): string | undefined {
  return useSyncExternalStore(subscribe, () => memoryPlace(window.location.hash))
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("hashchange", listener)
  return () => window.removeEventListener("hashchange", listener)
}
