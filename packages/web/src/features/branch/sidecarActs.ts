/** What can be done with a sidecar (BRA-4), and where to go afterwards. */
import type { Conversation } from "@parlor/client"
import { addressOf } from "../place/place.ts"
import { go } from "../place/usePlace.ts"

export type SidecarActs = {
  readonly merge: () => Promise<void>
  readonly keep: () => Promise<void>
  readonly close: () => Promise<void>
  readonly remove: () => Promise<void>
}

/** `leave` closes the side pane. */
export function sidecarActs(conversation: Conversation, leave: () => void): SidecarActs {
  const { agent, branch, branches } = conversation
  return {
    merge: () => branches.merge().then(leave),
    keep: () => branches.keep().then(() => go(addressOf(agent, branch))),
    close: () => branches.close().then(leave),
    remove: () => conversation.delete().then(leave),
  }
}

/** Codes for a sidecar that was deleted or turned into a branch: all that is left is to close it. */
export function isGone(code: string): boolean {
  return code === "conversation.unknown" || code === "branch.not-sidecar"
}
