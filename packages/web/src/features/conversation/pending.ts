/** Where a message on its way shows: in the conversation, in the queue, or as one that was refused. */
import type { PendingSend } from "@parlor/client"
import type { StatusRow } from "@parlor/protocol"

export type Pending = {
  readonly spoken: readonly PendingSend[]
  readonly queued: readonly PendingSend[]
  readonly refused: readonly PendingSend[]
}

export function isBusy(status: Pick<StatusRow, "state"> | null | undefined): boolean {
  return status?.state === "busy" || status?.state === "retrying" || status?.state === "waiting"
}

export function pendingOf(sending: readonly PendingSend[], busy: boolean): Pending {
  const underway = sending.filter((send) => send.state === "sending")
  return {
    spoken: busy ? [] : underway,
    queued: busy ? underway : [],
    refused: sending.filter((send) => send.state === "failed"),
  }
}
