/** What can become of a sidecar (BRA-4): each with where one is afterwards. */
import type { Conversation } from "@parlor/client"
import { addressOf } from "../place/place.ts"
import { go } from "../place/usePlace.ts"

export type SidecarActs = {
  readonly merge: () => Promise<void>
  readonly keep: () => Promise<void>
  readonly close: () => Promise<void>
  readonly remove: () => Promise<void>
}

/** `leave` shows what was in front without it. */
export function sidecarActs(conversation: Conversation, leave: () => void): SidecarActs {
  const { agent, branch, branches } = conversation
  return {
    merge: () => branches.merge().then(leave),
    keep: () => branches.keep().then(() => go(addressOf(agent, branch))),
    close: () => branches.close().then(leave),
    remove: () => conversation.delete().then(leave),
  }
}

/** The codes of one that is not there any more, or no sidecar any more: leaving it is all there is to do. */
export function isGone(code: string): boolean {
  return code === "conversation.unknown" || code === "branch.not-sidecar"
}
