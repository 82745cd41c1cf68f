/**
 * The little of a conversation that is kept in the browser to show while it loads (TAB-2): its newest messages, as far as
 * they fit. What waits in the queue and what is asked is not kept: it would be acted on. Pure.
 */
import type { LiveState } from "@parlor/client"
import type { MessageRow, Snapshot as ServerSnapshot, StatusRow } from "@parlor/protocol"
import { SNAPSHOT_BYTES, SNAPSHOT_MESSAGES } from "./budgets.ts"
import type { Held } from "./opening.ts"
import { bytesOf } from "./streaming.ts"

export type KeptSnapshot = {
  readonly key: string
  readonly asOf: number
  readonly bytes: number
  readonly status: StatusRow | null
  readonly messages: readonly MessageRow[]
}

/** Undefined when there is nothing to show, or when not even the newest message fits. */
export function snapshotOf(
  key: string,
  shown: Pick<LiveState | ServerSnapshot, "messages" | "status">,
  asOf: number,
): KeptSnapshot | undefined {
  const messages: MessageRow[] = []
  let bytes = 0
  for (const message of shown.messages.toReversed().slice(0, SNAPSHOT_MESSAGES)) {
    const size = bytesOf(JSON.stringify(message))
    if (bytes + size > SNAPSHOT_BYTES) break
    bytes += size
    messages.unshift(message)
  }
  return messages.length === 0 ? undefined : { key, asOf, bytes, status: shown.status, messages }
}

export function heldOf({ status, messages, asOf }: KeptSnapshot, empty: LiveState): Held {
  return { asOf, state: { ...empty, phase: "ready", title: status?.title ?? "", status, messages } }
}

/**
 * A name for whoever this browser is signed in as, made from the token and of no use to find it: what is kept under it is
 * never shown to anybody else.
 */
export function personKey(token: string): string {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let index = 0; index < token.length; index++) {
    const unit = token.charCodeAt(index)
    high = Math.imul(high ^ unit, 2654435761)
    low = Math.imul(low ^ unit, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return (high >>> 0).toString(16).padStart(8, "0") + (low >>> 0).toString(16).padStart(8, "0")
}
