import { useSyncExternalStore } from "react"
import { agentIn } from "./place.ts"

/** The agent in front, as the address says. Back and forward work, and a reload stays where it was. */
export function usePlace(): string {
  return useSyncExternalStore(subscribe, () => agentIn(window.location.hash))
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("hashchange", listener)
  return () => window.removeEventListener("hashchange", listener)
}
