import { useSyncExternalStore } from "react"

/** Whether the browser is online. */
export function useOnline(): boolean {
  return useSyncExternalStore(subscribe, read, () => true)
}

const read = () => navigator.onLine

function subscribe(listener: () => void): () => void {
  window.addEventListener("online", listener)
  window.addEventListener("offline", listener)
  return () => {
    window.removeEventListener("online", listener)
    window.removeEventListener("offline", listener)
  }
}
