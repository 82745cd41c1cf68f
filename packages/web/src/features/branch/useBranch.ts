import { useSyncExternalStore } from "react"
import { branchIn } from "../agent/place.ts"

/** The branch in front, as the address says. */
export function useBranch(): string {
  return useSyncExternalStore(subscribe, () => branchIn(window.location.hash))
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("hashchange", listener)
  return () => window.removeEventListener("hashchange", listener)
}
