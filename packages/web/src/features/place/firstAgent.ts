/**
 * The agent of an address that names none: the first agent of the server (CLI-1). Remembered, so that the next visit
 * does not wait for the list of agents.
 */
import { browserKeep } from "../keep/keep.ts"

const KEPT_AS = "parlor.firstAgent"
const listeners = new Set<() => void>()
let known: string | undefined

/** Undefined on the first visit, until the agents are known. */
export function firstAgent(): string | undefined {
  known ??= browserKeep.read(KEPT_AS)
  return known
}

export function rememberFirstAgent(name: string): void {
  if (name === firstAgent()) return
  known = name
  browserKeep.write(KEPT_AS, name)
  for (const listener of listeners) listener()
}

/** Another person may see other agents. */
export function forgetFirstAgent(): void {
  known = undefined
  browserKeep.write(KEPT_AS, undefined)
}

/** Returns an unsubscribe function. */
export function onFirstAgent(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
