/**
 * One run of an agent: how it starts and how it may end. Pure.
 *
 *   idle ──start──▶ busy ──done──────▶ idle
 *                    │ ├──done, a guest is left──▶ busy: the next one's turn, over the same message
 *                    │ └──stopped───▶ idle   (queue held)
 *                    └────failed────▶ error  (queue held, `after-error.ts`; the next start clears it)
 *
 * Every change of state is one decision: message, turn and status rows are written together or not at all.
 *
 * Rules: docs/spec/turn.md, docs/spec/guest.md
 */
import {
  type Again,
  addUsage,
  COMPOSER_INPUT,
  type ComposerInput,
  emptyUsage,
  limits,
  type MessageId,
  type MessageRow,
  type Millis,
  type NewChange,
  newMessage,
  type ProblemNote,
  type QueueRow,
  type StatusRow,
  type TurnId,
  type TurnRow,
} from "@parlor/protocol"
import { quotedPart } from "../branch/quote.ts"
import { type ConversationState, statusChange } from "../log/state.ts"
import { isTriggered } from "../queue/next-up.ts"
import { excerpt, titleFrom } from "../text/excerpt.ts"
import type { OnQueue } from "./stop-asked.ts"

export type TurnEnd =
  | { readonly state: "done" }
  | { readonly state: "stopped"; readonly onQueue: OnQueue; readonly next?: MessageId | undefined }
  | {
      readonly state: "failed"
      readonly error: ProblemNote
      /** Whether the fault may pass by itself, and the provider's retry-after (TRN-23). */
      readonly isPassing: boolean
      readonly retryAfterMs?: number | undefined
    }

/** What follows from the end of a turn for the queue. */
export type QueueAfter = Pick<StatusRow, "held" | "again" | "failures">

export type Start = {
  readonly changes: readonly NewChange[]
  readonly status: StatusRow
  readonly turn: TurnRow
  readonly message: MessageRow
}

/** An incoming message: typed, sent by a program, or fired by a trigger. */
export type Incoming = Pick<QueueRow, "id" | "type" | "payload" | "guests" | "trigger" | "editedFrom"> &
  Partial<Pick<QueueRow, "attachments">>

export function startTurn(state: ConversationState, incoming: Incoming, turn: TurnId, now: Millis): Start {
  const source = sourceOf(incoming)
  const message = personMessage(incoming, state.lastOrd + 1, turn, now)
  const isByTrigger = isTriggered(incoming)
  const row = newTurn(state, turn, message.id, [...new Set(incoming.guests)], now, isByTrigger)
  const status: StatusRow = {
    ...busyWithTurn(state.status, row),
    held: isByTrigger ? heldForPeople(state, incoming.id) : null,
    title: state.status.title || titleFrom(source),
    preview: excerpt(source, limits.previewLength),
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

/** The next guest answers the same message when the previous one is done (GST-6). Undefined if nobody is left. */
export function startGuest(
  state: ConversationState,
  done: TurnRow,
  turn: TurnId,
  now: Millis,
): Omit<Start, "message"> | undefined {
  const left = guestsLeft(done)
  if (left.length === 0) return undefined
  const row = newTurn(state, turn, done.message, left, now, done.unattended === true)
  const status = busyWithTurn(state.status, row)
  const changes: NewChange[] = [{ collection: "turns", key: turn, operation: "insert", row }, statusChange(status)]
  return { turn: row, status, changes }
}

/** A failed message is tried again, in a turn of its own (TRN-24). `failed`: the turn that failed first. */
export function startAgain(
  state: ConversationState,
  again: Again,
  failed: TurnRow | undefined,
  turn: TurnId,
  now: Millis,
): Omit<Start, "message"> {
  const row = newTurn(state, turn, again.message, again.guests, now, again.unattended)
  const status: StatusRow = {
    ...busyWithTurn(state.status, row),
    held: again.unattended ? heldForPeople(state, again.message) : null,
  }
  const named: NewChange[] =
    failed === undefined
      ? []
      : [{ collection: "turns", key: failed.id, operation: "update", row: { ...failed, retriedBy: turn } }]
  const changes: NewChange[] = [
    ...named,
    { collection: "turns", key: turn, operation: "insert", row },
    statusChange(status),
  ]
  return { turn: row, status, changes }
}

/** `turn` is the row as its owner has it, with steps and usage counted. `after`: for a turn that failed. */
export function endTurn(
  state: ConversationState,
  turn: TurnRow,
  end: TurnEnd,
  now: Millis,
  said: string,
  after: QueueAfter = afterEnd(end, state.status, turn, now),
): { readonly changes: readonly NewChange[]; readonly status: StatusRow; readonly turn: TurnRow } {
  const error = end.state === "failed" ? end.error : null
  const row: TurnRow = { ...turn, state: end.state, endedAt: now, error }
  const status: StatusRow = {
    ...state.status,
    state: end.state === "failed" ? "error" : "idle",
    busyWith: null,
    ...after,
    turn: null,
    message: null,
    attempt: null,
    retryAt: null,
    error,
    usage: addUsage(state.status.usage, turn.usage),
    preview: said ? excerpt(said, limits.previewLength) : state.status.preview,
    unread: turn.compaction === null ? true : state.status.unread,
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
  const composer = incoming.type === COMPOSER_INPUT ? (incoming.payload as unknown as ComposerInput) : null
  const quoted = quotedPart(incoming)
  return newMessage({
    id: incoming.id,
    ord,
    role: "person",
    turn,
    state: "done",
    parts: [
      ...(composer === null ? [] : [{ type: "text", text: composer.source } as const]),
      ...(quoted === undefined ? [] : [quoted]),
      ...(incoming.attachments ?? []),
    ],
    composer: composer !== null && Object.keys(composer).length > 1 ? composer : null,
    inbox: composer === null && quoted === undefined ? { type: incoming.type, payload: incoming.payload } : null,
    trigger: incoming.trigger,
    editedFrom: incoming.editedFrom,
    at: now,
  })
}

/** A short text by which a person would recognize a message. */
function sourceOf({ type, payload }: Pick<Incoming, "type" | "payload">): string {
  if (type === COMPOSER_INPUT) return (payload as unknown as ComposerInput).source
  const { text } = (payload ?? {}) as { readonly text?: unknown }
  return typeof text === "string" ? text : type
}

/** The first of the named agents speaks. The conversation's own agent speaks as itself. */
function newTurn(
  { address, stream, status }: ConversationState,
  id: TurnId,
  message: MessageId,
  [guest, ...guestsNext]: readonly string[],
  now: Millis,
  isUnattended: boolean,
): TurnRow {
  const isOwn = guest === undefined || guest === address.agent
  return {
    id,
    message,
    agent: address.agent,
    guest: isOwn ? null : guest,
    guestsNext,
    compaction: null,
    settings: isOwn ? (status.settings ?? null) : null,
    state: "running",
    steps: 0,
    runs: [],
    usage: emptyUsage,
    startedAt: now,
    endedAt: null,
    error: null,
    began: stream.head,
    step: null,
    ...(isUnattended ? { unattended: true } : {}),
  }
}

function busyWithTurn(status: StatusRow, turn: TurnRow): StatusRow {
  const none = { attempt: null, retryAt: null, error: null } as const
  const at = { activityAt: turn.startedAt, since: turn.startedAt }
  return { ...status, state: "busy", busyWith: "turn", turn: turn.id, message: turn.message, ...none, ...at }
}

/** Turns from before there were guests lack the field. */
function guestsLeft(turn: TurnRow): readonly string[] {
  return turn.guestsNext ?? []
}

/** A message that starts although people's messages are held after an error: they stay held if there are any (QUE-21). */
function heldForPeople({ status, queue, queued }: ConversationState, starting: string): StatusRow["held"] {
  if (status.held?.only !== "triggers") return null
  const isAnyLeft = queued > queue.length || queue.some((row) => row.id !== starting && !isTriggered(row))
  return isAnyLeft ? status.held : null
}

function afterEnd(end: TurnEnd, { held, again, failures }: StatusRow, turn: TurnRow, now: Millis): QueueAfter {
  const left = again?.message === turn.message ? null : again
  if (end.state === "done") return { again: left, held, failures: 0 }
  if (end.state === "failed") return { again: left, held: { reason: "error", since: now }, failures: failures + 1 }
  const isHeld = end.next === undefined && end.onQueue === "hold"
  return { again: left, held: isHeld ? { reason: "stopped", since: now } : null, failures }
}
