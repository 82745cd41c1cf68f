/** Accepts a message: it starts a turn, or it queues (QUE-1, QUE-11, QUE-12). */
import {
  type Address,
  formatOffset,
  inQueueOrder,
  isUnattended,
  type MessageId,
  type ProblemNote,
  type QueueRow,
  Refusal,
  type SendMode,
  type Sent,
  type StreamId,
  type Trigger,
  type TurnId,
  type TxId,
} from "@parlor/protocol"
import { type Checked, checkMessage } from "../composer/check.ts"
import { conversationFor } from "../conversation/create.ts"
import { beginDrive } from "../drive/drive.ts"
import { wake } from "../drive/recover.ts"
import { type Decision, decide, Gone } from "../log/decide.ts"
import { type ConversationState, isBusy } from "../log/state.ts"
import { claimBy } from "../log/write.ts"
import type { Json } from "../ports/json.ts"
import { isTimed } from "../queue/next-up.ts"
import { checkPosition, checkRoom, head, lastPosition, queuing, steerPosition } from "../queue/queue.ts"
import type { Waiting } from "../queue/waiting.ts"
import { checkMessageRoom, isQuotaRefusal } from "../quota/quota.ts"
import { checkEdited } from "../rollback/edited.ts"
import { type Incoming, type Start, startTurn } from "../turn/turn.ts"
import type { CommandAccess } from "./command-access.ts"

export type Send = {
  readonly type: string
  readonly payload: Json
  readonly guests?: readonly string[]
  readonly trigger?: Trigger
  /** The message it replaces (RBK-3). */
  readonly editedFrom?: MessageId
  readonly mode: SendMode
  readonly position?: string
  readonly source: string
  readonly txid: TxId
  /** The conversation it was meant for: rejected if that one was deleted, even if another has its name now. */
  readonly stream?: StreamId
  /** Nothing is sent, and `AlreadyQueued` is thrown, while another firing of this schedule is queued (TRG-3). */
  readonly unlessQueued?: string
  /** The caller's idempotency key and a digest of what it covers. */
  readonly key?: { readonly key: string; readonly hash: string }
}

/** A firing of the same schedule is queued: this one, sent before, or another. */
export class AlreadyQueued extends Error {
  readonly row: Waiting

  constructor(row: Waiting) {
    super("a firing of that schedule is already queued")
    this.name = "AlreadyQueued"
    this.row = row
  }
}

/** With the results of the check. */
type Arriving = Send & Checked
type Accepted = { readonly sent: Omit<Sent, "offset">; readonly start?: Start }

export async function send(node: CommandAccess, address: Address, message: Send): Promise<Sent> {
  if (message.position !== undefined) checkPosition(message.position)
  const arriving: Arriving = Object.assign({}, message, await checkMessage(node, address, message))
  const cached = message.stream ?? node.cache.at(address)
  const first = await withRoom(node, address, message, cached)
  if (first !== undefined) return first
  if (cached !== undefined)
    try {
      return await sendTo(node, cached, address, arriving)
    } catch (error) {
      if (message.stream !== undefined || !(error instanceof Gone)) throw error
      node.cache.remove(cached, address)
    }
  const stream = await conversationFor(node, address, message.txid)
  return sendTo(node, stream.id, address, arriving)
}

/**
 * Rejects the message when the person's quota is used up, unless it was sent before: then it returns the first answer,
 * which takes no room (QUE-11).
 */
async function withRoom(
  node: CommandAccess,
  address: Address,
  message: Send,
  cached: StreamId | undefined,
): Promise<Sent | undefined> {
  try {
    await checkMessageRoom(node, address.person)
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal) || !isQuotaRefusal(error.code) || message.key === undefined) throw error
    const stream = cached ?? (await node.store.log.find({ kind: "conversation", ...address }))?.id
    const before = stream && (await sentBefore(node, stream, message.key))
    if (!before) throw error
    return before
  }
}

/** Looks the key up with an append that can only be rejected: a store checks the key first. */
async function sentBefore(
  node: CommandAccess,
  stream: StreamId,
  key: NonNullable<Send["key"]>,
): Promise<Sent | undefined> {
  const asking = {
    stream,
    changes: [],
    txid: "" as TxId,
    at: node.clock.now(),
    expect: -1,
    once: { ...key, answer: "" },
  }
  const [answer] = await node.store.log.commit([asking])
  return answer?.ok === false && answer.why === "repeated" ? repeated(node, stream, key, answer) : undefined
}

function repeated(
  node: CommandAccess,
  stream: StreamId,
  key: Send["key"],
  { hash, answer, seq }: { readonly hash: string; readonly answer: string; readonly seq: number },
): Sent {
  if (hash !== key?.hash)
    throw new Refusal("idempotency.reused", "This Idempotency-Key was used before with another body. Use a new key.")
  // The first attempt may have been committed without its sender or its drive learning of it.
  wake(node, stream)
  const first = JSON.parse(answer) as Omit<Sent, "offset">
  return { offset: formatOffset(seq, first.txid), ...first }
}

async function sendTo(node: CommandAccess, stream: StreamId, address: Address, message: Arriving): Promise<Sent> {
  if (message.editedFrom !== undefined) await checkEdited(node, stream, message.editedFrom)
  const id = node.ids.next("msg") as MessageId
  const turn = node.ids.next("trn") as TurnId
  const key = message.key
  const decided = await decide<Accepted>(node, stream, (state) => accept(node, state, message, id, turn), {
    txid: message.txid,
    queue: needsWholeQueue(message) ? "whole" : "front",
    ...(key === undefined ? {} : { once: (answer) => ({ ...key, answer: JSON.stringify((answer as Accepted).sent) }) }),
  })
  if (decided.repeated) return repeated(node, stream, key, decided)
  const { start, sent } = decided.answer
  if (start)
    beginDrive(node, {
      stream,
      address,
      epoch: decided.appended.epoch,
      first: { kind: "turn", turn: start.turn },
    })
  else wake(node, stream)
  return { offset: formatOffset(decided.appended.head, sent.txid), ...sent }
}

function accept(
  node: CommandAccess,
  state: ConversationState,
  message: Arriving,
  id: MessageId,
  turn: TurnId,
): Decision<Accepted> {
  const now = node.clock.now()
  const waiting = message.unlessQueued && state.queue.find((row) => row.trigger?.scheduleId === message.unlessQueued)
  if (waiting) throw new AlreadyQueued(waiting)
  // A draining process starts nothing: the next owner does (TRN-17). In a held queue the message would stay.
  const isLeft = node.draining.signal.aborted && state.status.held === null
  if (message.mode === "immediate" && !isLeft && mayStart(state, message)) return begin(node, state, message, id, turn)
  const hinders = message.mode === "steer" ? steeringProblem(state, message) : undefined
  if (hinders !== undefined) return sendNormally(node, state, message, { id, turn, note: hinders })
  return enqueue(node, state, message, id, now)
}

function begin(
  node: CommandAccess,
  state: ConversationState,
  message: Arriving,
  id: MessageId,
  turn: TurnId,
): Decision<Accepted> {
  const start = startTurn(state, incoming(message, id), turn, node.clock.now())
  return {
    answer: { start, sent: { message: id, outcome: "started", turn, txid: message.txid } },
    changes: start.changes,
    lease: claimBy(node, { force: isTimed(state.status) }),
  }
}

function steeringProblem(state: ConversationState, message: Arriving): ProblemNote | undefined {
  if (state.status.turn === null)
    return { code: "steer.nothing-running", detail: "No turn was running, so there was nothing to steer." }
  if (message.guests.length > 0)
    return {
      code: "steer.guests",
      detail: "Guests answer in their own turns, so the message waits for the running one.",
    }
  return undefined
}

/** A message that cannot steer is sent normally, and its sender is told why (TRN-9). */
function sendNormally(
  node: CommandAccess,
  state: ConversationState,
  message: Arriving,
  { id, turn, note }: { readonly id: MessageId; readonly turn: TurnId; readonly note: ProblemNote },
): Decision<Accepted> {
  const ordinary = accept(node, state, { ...message, mode: "immediate" }, id, turn)
  return { ...ordinary, answer: { ...ordinary.answer, sent: { ...ordinary.answer.sent, note } } }
}

/** An idle conversation starts at once, unless queued messages are due first (QUE-3, QUE-8). */
function mayStart(state: ConversationState, { trigger }: Send): boolean {
  if (isBusy(state.status)) return false
  // A queue is held until the person is back; these messages arrive without one (QUE-5, QUE-6).
  if (state.status.held !== null) return trigger === undefined || !isUnattended(trigger.source)
  return head(state.queue) === undefined
}

function needsWholeQueue({ mode, position, unlessQueued }: Send): boolean {
  return mode === "steer" || position !== undefined || unlessQueued !== undefined
}

function enqueue(
  node: CommandAccess,
  state: ConversationState,
  message: Arriving,
  id: MessageId,
  now: number,
): Decision<Accepted> {
  checkRoom(state.queued, node.settings.queueLimit)
  const row: QueueRow = {
    ...incoming(message, id),
    mode: message.mode,
    position: positionFor(state, message),
    source: message.source,
    version: 1,
    lease: null,
    queuedAt: now,
  }
  const place = inQueueOrder([...state.queue, row]).indexOf(row) + 1
  const isBehindFront = place > state.queue.length
  const outcome = message.mode === "steer" ? "steering" : "queued"
  const sent = { message: id, outcome, place: isBehindFront ? state.queued + 1 : place, txid: message.txid } as const
  return {
    answer: { sent: outcome === "steering" ? { ...sent, turn: state.status.turn ?? "" } : sent },
    changes: queuing(state, row),
  }
}

function positionFor(state: ConversationState, message: Send): string {
  if (message.position !== undefined) return message.position
  return message.mode === "steer" ? steerPosition(state.queue) : lastPosition(state.lastQueued)
}

function incoming(message: Arriving, id: MessageId): Required<Incoming> {
  return {
    id,
    type: message.type,
    payload: message.payload as QueueRow["payload"],
    guests: [...message.guests],
    attachments: [...message.attachments],
    trigger: message.trigger ?? null,
    editedFrom: message.editedFrom ?? null,
  }
}
