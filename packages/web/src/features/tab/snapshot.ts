/**
 * A snapshot of a conversation, shown while it loads (TAB-2): its newest messages, as far as they fit. The queue and
 * asks are not stored, because people would act on stale ones. Pure.
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

/** Undefined when there are no messages, or the newest one is too large. */
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
