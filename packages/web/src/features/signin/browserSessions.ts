import { useSyncExternalStore } from "react"
import { browserKeep } from "../keep/keep.ts"
import { type Over, type Session, sessionsIn } from "./session.ts"

/** The session of this browser. */
export const sessions = sessionsIn(browserKeep, (listener) => {
  const told = (event: StorageEvent) => listener(event.key)
  window.addEventListener("storage", told)
  return () => window.removeEventListener("storage", told)
})

export function useSession(): Session | undefined {
  return useSyncExternalStore(sessions.subscribe, sessions.read)
}

/** How the last session ended. */
export function useOver(): Over | undefined {
  return useSyncExternalStore(sessions.subscribe, sessions.over)
}
