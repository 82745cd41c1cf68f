/** Where an unsent message is shown: in the conversation, in the queue, or as rejected. */
import type { PendingSend } from "@parlor/client"
import type { StatusRow } from "@parlor/protocol"
import { inputOfSend } from "./sendOnce.ts"
import { sendTitle } from "./waitingWords.ts"

export type Pending = {
  readonly spoken: readonly PendingSend[]
  readonly queued: readonly PendingSend[]
  readonly refused: readonly PendingSend[]
  /** The sends that failed at the first attempt, and those waiting behind them. */
  readonly waiting: readonly PendingSend[]
}

const NONE: readonly PendingSend[] = []

export function isBusy(status: Pick<StatusRow, "state"> | null | undefined): boolean {
  return status?.state === "busy" || status?.state === "retrying" || status?.state === "waiting"
}

export function pendingOf(sending: readonly PendingSend[], busy: boolean): Pending {
  const underway = sending.filter((send) => send.state === "sending").map(titled)
  return {
    spoken: busy ? [] : underway,
    queued: busy ? underway : [],
    refused: sending.filter((send) => send.state === "failed"),
    waiting: underway.some(({ failures }) => failures > 0) ? underway : NONE,
  }
}

/** A message with only attachments shows their names. */
function titled(send: PendingSend): PendingSend {
  return send.text.trim() === "" ? { ...send, text: sendTitle(inputOfSend(send.body), send.text) } : send
}
