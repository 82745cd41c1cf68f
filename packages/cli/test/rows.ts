import type { LiveState } from "@parlor/client"
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
  return {
    phase: "ready",
    connection: "live",
    reconnectAt: null,
    title: "",
    status: idle,
    messages: [],
    queue: [],
    unreadQueued: 0,
    asks: [],
    slashCommands: [],
    turns: [],
    changes: [],
    rollbacks: [],
    branches: [],
    older: null,
    isLoadingOlder: false,
    sending: [],
    error: null,
    ...change,
  }
}
