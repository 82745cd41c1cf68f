/** The agent that new chats begin with (SET-8): the person's choice, remembered in this browser until it is read again. */
import type { AgentView } from "@parlor/protocol"
import { useMemo, useSyncExternalStore } from "react"
import { browserKeep } from "../keep/keep.ts"

const KEPT_AS = "parlor.preferredAgent"
const listeners = new Set<() => void>()

export function rememberPreferredAgent(name: string | undefined): void {
  if (browserKeep.read(KEPT_AS) === name) return
  browserKeep.write(KEPT_AS, name)
  for (const listener of listeners) listener()
}

/** The chosen one first; an agent that no longer exists changes nothing. */
export function usePreferredFirst(agents: readonly AgentView[]): readonly AgentView[] {
  const chosen = useSyncExternalStore(subscribe, () => browserKeep.read(KEPT_AS))
  return useMemo(
    () => agents.toSorted((a, b) => Number(b.name === chosen) - Number(a.name === chosen)),
    [agents, chosen],
  )
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
