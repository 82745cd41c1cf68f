import { type LiveState, loadingState } from "@parlor/client"
import type { AskRow, QueueRow } from "@parlor/protocol"
import { askWith, queuedWith, statusWith } from "@parlor/protocol/testing"

export const idle = statusWith()

export function waiting(id: string, source: string, change: Partial<QueueRow> = {}): QueueRow {
  return queuedWith(id, { payload: { source }, ...change })
}

export function asking(kind: AskRow["kind"], change: Partial<AskRow> = {}): AskRow {
  return askWith({ kind, ...change })
}

export function stateOf(change: Partial<LiveState> = {}): LiveState {
  return { ...loadingState, phase: "ready", connection: "live", status: idle, ...change }
}
