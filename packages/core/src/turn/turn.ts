/**
 * One run of an agent: how it starts and how it may end. Pure.
 *
 *   idle ──start──▶ busy ──done──────▶ idle
 *                    │ └──stopped───▶ idle   (queue held)
 *                    └────failed────▶ error  (queue held; the next start clears it)
 *
 * Every change of state is one decision: message, turn and status rows are written together or not at all.
 *
 * Rules: docs/spec/turn.md
 */
import {
  addUsage,
  type ComposerInput,
  emptyUsage,
  limits,
  type MessageId,
  type MessageRow,
  type Millis,
  type NewChange,
  type ProblemNote,
  type StatusRow,
  type TurnId,
  type TurnRow,
} from "@parlor/protocol"
import { type ConversationState, statusChange } from "../conversation/state.ts"
import type { OnQueue } from "./stop-asked.ts"

export type TurnEnd =
  | { readonly state: "done" }
  | { readonly state: "stopped"; readonly onQueue: OnQueue; readonly next?: MessageId | undefined }
  | { readonly state: "failed"; readonly error: ProblemNote }

export type Start = {
  readonly changes: readonly NewChange[]
  readonly status: StatusRow
  readonly turn: TurnRow
  readonly message: MessageRow
}

export type Incoming = { readonly id: MessageId; readonly input: ComposerInput }

export function startTurn(state: ConversationState, incoming: Incoming, turn: TurnId, now: Millis): Start {
  const message = personMessage(incoming, state.lastOrd + 1, turn, now)
  const row: TurnRow = {
    id: turn,
    message: message.id,
    agent: state.address.agent,
    guest: null,
    state: "running",
    steps: 0,
    usage: emptyUsage,
    startedAt: now,
    endedAt: null,
    error: null,
  }
  const status: StatusRow = {
    ...state.status,
    state: "busy",
    busyWith: "turn",
    held: null,
    turn,
    message: message.id,
    attempt: null,
    retryAt: null,
    error: null,
    title: state.status.title || titleFrom(incoming.input.source),
    preview: excerpt(incoming.input.source, limits.previewLength),
    activityAt: now,
    since: now,
  }
  return {
    message,
    turn: row,
    status,
    changes: [
      { collection: "messages", key: message.id, operation: "insert", row: message },
      { collection: "turns", key: turn, operation: "insert", row },
      statusChange(status),
    ],
  }
}

/** `turn` is the row as its owner has it, with steps and usage counted. */
export function endTurn(
  state: ConversationState,
  turn: TurnRow,
  end: TurnEnd,
  now: Millis,
  said: string,
): { readonly changes: readonly NewChange[]; readonly status: StatusRow; readonly turn: TurnRow } {
  const error = end.state === "failed" ? end.error : null
  const row: TurnRow = { ...turn, state: end.state, endedAt: now, error }
  const status: StatusRow = {
    ...state.status,
    state: end.state === "failed" ? "error" : "idle",
    busyWith: null,
    held: heldAfter(end, state.status, now),
    turn: null,
    message: null,
    attempt: null,
    retryAt: null,
    error,
    usage: addUsage(state.status.usage, turn.usage),
    preview: said ? excerpt(said, limits.previewLength) : state.status.preview,
    unread: true,
    activityAt: now,
    since: now,
  }
  return {
    turn: row,
    status,
    changes: [{ collection: "turns", key: turn.id, operation: "update", row }, statusChange(status)],
  }
}

export function personMessage(incoming: Incoming, ord: number, turn: TurnId | null, now: Millis): MessageRow {
  return {
    id: incoming.id,
    ord,
    role: "person",
    author: "",
    turn,
    state: "done",
    parts: [{ type: "text", text: incoming.input.source }],
    composer: incoming.input.nodes === undefined ? null : incoming.input,
    trigger: null,
    dimmed: false,
    editedFrom: null,
    usage: null,
    at: now,
  }
}

export function titleFrom(source: string): string {
  const line = source.split("\n", 1)[0] ?? ""
  return excerpt(line, 60)
}

/** The first characters of a text on one line, cut between characters. */
export function excerpt(text: string, length: number): string {
  const line = text
    .slice(0, length * 4)
    .replace(/\s+/g, " ")
    .trim()
  if (line.length <= length) return line.toWellFormed()
  const cut = line.slice(0, length - 1)
  return `${(/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut).trimEnd()}…`
}

function heldAfter(end: TurnEnd, status: StatusRow, now: Millis): StatusRow["held"] {
  if (end.state === "failed") return { reason: "error", since: now }
  if (end.state === "stopped" && end.next === undefined && end.onQueue === "hold")
    return { reason: "stopped", since: now }
  return end.state === "done" ? status.held : null
}
