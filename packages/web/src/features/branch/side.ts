/**
 * Opening and leaving what stands beside the conversation in front. The address says what that is, so that a reload and
 * the way back keep it; what had the focus before gets it again.
 */
import type { Conversation } from "@parlor/client"
import type { MessageRow } from "@parlor/protocol"
import { addressOf } from "../place/place.ts"
import { go, here } from "../place/usePlace.ts"

let opener: Element | null = null

/** `parent` is what it hangs on: in front when something else is. */
export function openSide(agent: string, parent: string, side: string): void {
  opener = document.activeElement
  const place = here()
  const isInFront = place.page === "conversation" && place.agent === agent && place.branch !== side
  go(addressOf(agent, isInFront ? place.branch : parent, { side }))
}

/** The address without what is beside it. */
export function leaveSide(agent: string, front: string): void {
  go(addressOf(agent, front))
  const before = opener
  opener = null
  requestAnimationFrame(() => giveFocus(before))
}

/** Makes a sidecar that hangs on this message, or on none, and opens it (BRA-4). */
export async function askAside(conversation: Conversation, from: string | undefined): Promise<void> {
  const made = await conversation.branches.make({ ephemeral: true, ...(from === undefined ? {} : { from }) })
  openSide(made.agent, conversation.branch, made.branch)
}

/** What an aside hangs on when it is about no message in particular: the last that is said to its end (BRA-3). */
export function lastSettled(messages: readonly Pick<MessageRow, "id" | "state" | "dimmed">[]): string | undefined {
  return messages.findLast(({ state, dimmed }) => state !== "streaming" && !dimmed)?.id
}

/** What opened it may be gone: then the box of the conversation in front is the best place. */
function giveFocus(before: Element | null): void {
  if (before instanceof HTMLElement && before.isConnected && before !== document.body) before.focus()
  else document.querySelector<HTMLElement>("main [role=textbox], main textarea")?.focus({ preventScroll: true })
}
