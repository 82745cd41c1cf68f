/** What Enter does while the agent is replying, as last chosen per conversation (TAB-9). */

import type { Keep } from "../keep/keep.ts"
import type { OwnPart } from "../keep/own.ts"

export type BusyMode = "queue" | "steer"

export type BusyModes = {
  readonly read: (conversation: string) => BusyMode
  readonly write: (conversation: string, mode: BusyMode) => void
}

export const ownBusyModes: OwnPart<BusyModes> = ({ keep }) => busyModesIn(keep)

export function busyModesIn(keep: Keep): BusyModes {
  const keyOf = (conversation: string) => `while-busy.${conversation}`
  return {
    read: (conversation) => (keep.read(keyOf(conversation)) === "steer" ? "steer" : "queue"),
    write: (conversation, mode) => keep.write(keyOf(conversation), mode === "queue" ? undefined : mode),
  }
}
