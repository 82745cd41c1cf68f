import { useSyncExternalStore } from "react"
import { type Place, placeIn } from "./place.ts"

let known: { readonly hash: string; readonly place: Place } | undefined

/** What is in front. Supports back, forward and reload. */
export function usePlace(): Place {
  return useSyncExternalStore(subscribe, here)
}

/** The same object until the address changes. */
export function here(): Place {
  const { hash } = window.location
  if (known?.hash !== hash) known = { hash, place: placeIn(hash) }
  return known.place
}

export function go(address: string): void {
  window.location.hash = address
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("hashchange", listener)
  return () => window.removeEventListener("hashchange", listener)
}
