import { useSyncExternalStore } from "react"
import { triggerPlace } from "./place.ts"

/** The agent one came from, while triggers are in front. */
export function useTriggerPlace(): string | undefined {
  return useSyncExternalStore(subscribe, () => triggerPlace(window.location.hash))
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("hashchange", listener)
  return () => window.removeEventListener("hashchange", listener)
}
