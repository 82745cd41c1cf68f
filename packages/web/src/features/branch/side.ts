/**
 * Opens and closes the side pane. The address names what it shows, so a reload and the back button keep it; closing
 * restores the previous focus.
 */
import type { Conversation } from "@parlor/client"
import type { MessageRow } from "@parlor/protocol"
import { addressOf } from "../place/place.ts"
import { go, here } from "../place/usePlace.ts"

let opener: Element | null = null

/** `parent` is opened in front unless it already is. */
export function openSide(agent: string, parent: string, side: string): void {
  opener = document.activeElement
  const place = here()
  const isInFront = place.page === "conversation" && place.agent === agent && place.branch !== side
  go(addressOf(agent, isInFront ? place.branch : parent, { side }))
}

/** The address without the side pane. */
export function leaveSide(agent: string, front: string): void {
  go(addressOf(agent, front))
  const before = opener
  opener = null
  requestAnimationFrame(() => giveFocus(before))
}

/** Creates a sidecar from this message, or from none, and opens it (BRA-4). */
export async function openNewSidecar(conversation: Conversation, from: string | undefined): Promise<void> {
  const made = await conversation.branches.make({ ephemeral: true, ...(from === undefined ? {} : { from }) })
  openSide(made.agent, conversation.branch, made.branch)
}

/** The message a sidecar starts from by default: the last completed one (BRA-3). */
export function lastSettled(messages: readonly Pick<MessageRow, "id" | "state" | "dimmed">[]): string | undefined {
  return messages.findLast(({ state, dimmed }) => state !== "streaming" && !dimmed)?.id
}

/** The element that opened it may be gone; then focus the composer of the conversation in front. */
function giveFocus(before: Element | null): void {
  if (before instanceof HTMLElement && before.isConnected && before !== document.body) before.focus()
  else document.querySelector<HTMLElement>("main [role=textbox], main textarea")?.focus({ preventScroll: true })
}
