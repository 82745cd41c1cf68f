import { useSyncExternalStore } from "react"
import { firstAgent, onFirstAgent } from "./firstAgent.ts"
import { type Place, placeIn } from "./place.ts"

let known: { readonly hash: string; readonly first: string; readonly place: Place } | undefined

/** What is in front. Supports back, forward and reload. Its agent is empty until the default agent is known. */
export function usePlace(): Place {
  return useSyncExternalStore(subscribe, here)
}

/** The same object until the address changes. Its agent is empty until the first agent is known. */
export function here(): Place {
  const { hash } = window.location
  const first = firstAgent() ?? ""
  if (known?.hash !== hash || known.first !== first) known = { hash, first, place: placeIn(hash, first) }
  return known.place
}

export function go(address: string): void {
  window.location.hash = address
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("hashchange", listener)
  const end = onFirstAgent(listener)
  return () => {
    window.removeEventListener("hashchange", listener)
    end()
  }
}
