import type { LiveState } from "@parlor/client"
import { type AskRow, emptyUsage, type QueueRow, type StatusRow } from "@parlor/protocol"

export const idle: StatusRow = {
  state: "idle",
  busyWith: null,
  held: null,
  turn: null,
  message: null,
  attempt: null,
  retryAt: null,
  error: null,
  usage: emptyUsage,
  grantedTokens: 0,
  personGrantedTokens: 0,
  title: "",
  preview: "",
  pinned: false,
  archived: false,
  ephemeral: false,
  unread: false,
  origin: null,
  latestFile: null,
  files: 0,
  activityAt: 0,
  since: 0,
}

export function waiting(id: string, source: string, change: Partial<QueueRow> = {}): QueueRow {
  return {
    id: id as QueueRow["id"],
    type: "composer_input",
    payload: { source },
    mode: "immediate",
    position: id,
    source: "person",
    guests: [],
    attachments: [],
    trigger: null,
    editedFrom: null,
    version: 1,
    lease: null,
    queuedAt: 0,
    ...change,
  }
}

export function asking(kind: AskRow["kind"], change: Partial<AskRow> = {}): AskRow {
  return {
    id: "ask_1" as AskRow["id"],
    turn: "trn_1" as AskRow["turn"],
    call: null,
    kind,
    title: "Really?",
    detail: "",
    options: null,
    schema: null,
    expiresAt: null,
    state: "open",
    answer: null,
    answeredBy: null,
    ...change,
  }
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
    asks: [],
    commands: [],
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
