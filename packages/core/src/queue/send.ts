/** A message comes in: it starts a turn, or it queues (QUE-1, QUE-11, QUE-12). */
import {
  type Address,
  COMPOSER_INPUT,
  type ComposerInput,
  formatOffset,
  limits,
  type MessageId,
  type QueueRow,
  Refusal,
  type SendMode,
  type Sent,
  type StreamId,
  type TurnId,
  type TxId,
} from "@parlor/protocol"
import { conversationFor } from "../conversation/address.ts"
import { type Decision, decide, Gone } from "../conversation/decide.ts"
import { type ConversationState, isBusy } from "../conversation/state.ts"
import type { Node } from "../node.ts"
import { beginDrive } from "../turn/drive.ts"
import { wake } from "../turn/recover.ts"
import { type Start, startTurn } from "../turn/turn.ts"
import { checkPosition, checkRoom, hasWork, head, inOrder, lastPosition, steerPosition } from "./queue.ts"

export type Send = {
  readonly input: ComposerInput
  readonly mode: SendMode
  readonly position?: string
  readonly source: string
  readonly txid: TxId
  /** The caller's idempotency key and a digest of what it covers. */
  readonly key?: { readonly key: string; readonly hash: string }
}

type Accepted = { readonly sent: Omit<Sent, "offset">; readonly start?: Start }

export async function send(node: Node, address: Address, message: Send): Promise<Sent> {
  checkSize(message.input)
  if (message.position !== undefined) checkPosition(message.position)
  const known = node.known.at(address)
  if (known !== undefined)
    try {
      return await sendTo(node, known, address, message)
    } catch (error) {
      if (!(error instanceof Gone)) throw error
      node.known.remove(known, address)
    }
  const stream = await conversationFor(node, address, message.txid)
  return sendTo(node, stream.id, address, message)
}

async function sendTo(node: Node, stream: StreamId, address: Address, message: Send): Promise<Sent> {
  const id = node.ids.next("msg") as MessageId
  const turn = node.ids.next("trn") as TurnId
  const key = message.key
  const decided = await decide<Accepted>(node, stream, (state) => accept(node, state, message, id, turn), {
    txid: message.txid,
    queue: message.mode === "steer" || message.position !== undefined ? "whole" : "front",
    ...(key === undefined ? {} : { once: (answer) => ({ ...key, answer: JSON.stringify((answer as Accepted).sent) }) }),
  })
  if (decided.repeated) {
    if (decided.hash !== key?.hash)
      throw new Refusal("idempotency.reused", "This Idempotency-Key was used before with another body. Use a new key.")
    // The first try may have been written without its sender or its drive hearing of it.
    wake(node, stream)
    return { ...(JSON.parse(decided.answer) as Omit<Sent, "offset">), offset: formatOffset(decided.seq) }
  }
  const { start, sent } = decided.answer
  if (start)
    beginDrive(node, {
      stream,
      address,
      epoch: decided.appended.epoch,
      first: { kind: "turn", turn: start.turn },
    })
  else wake(node, stream)
  return { ...sent, offset: formatOffset(decided.appended.head) }
}

function accept(node: Node, state: ConversationState, message: Send, id: MessageId, turn: TurnId): Decision<Accepted> {
  const now = node.clock.now()
  if (message.mode === "immediate" && mayStart(state)) return begin(node, state, message, id, turn)
  if (message.mode === "steer" && state.status.turn === null) return steerNothing(node, state, message, id, turn)
  return enqueue(node, state, message, id, now)
}

function begin(node: Node, state: ConversationState, message: Send, id: MessageId, turn: TurnId): Decision<Accepted> {
  const start = startTurn(state, { id, input: message.input }, turn, node.clock.now())
  return {
    answer: { start, sent: { message: id, outcome: "started", turn, txid: message.txid } },
    changes: start.changes,
    status: start.status,
    queued: state.queued,
    active: true,
    lease: { kind: "claim", owner: node.name, ttlMs: node.settings.leaseMs },
  }
}

/** With nothing to steer, the message goes the ordinary way and its sender is told (TRN-9). */
function steerNothing(
  node: Node,
  state: ConversationState,
  message: Send,
  id: MessageId,
  turn: TurnId,
): Decision<Accepted> {
  const ordinary = accept(node, state, { ...message, mode: "immediate" }, id, turn)
  const note = { code: "steer.nothing-running", detail: "No turn was running, so there was nothing to steer." }
  return { ...ordinary, answer: { ...ordinary.answer, sent: { ...ordinary.answer.sent, note } } }
}

/** An idle conversation starts at once. One that has messages waiting to start lets them go first (QUE-3, QUE-8). */
function mayStart(state: ConversationState): boolean {
  if (isBusy(state.status)) return false
  return state.status.held !== null || head(state.queue) === undefined
}

function enqueue(node: Node, state: ConversationState, message: Send, id: MessageId, now: number): Decision<Accepted> {
  checkRoom(state.queued, node.settings.queueLimit)
  const row: QueueRow = {
    id,
    type: COMPOSER_INPUT,
    payload: message.input as QueueRow["payload"],
    mode: message.mode,
    position: positionFor(state, message),
    source: message.source,
    guests: [],
    version: 1,
    lease: null,
    queuedAt: now,
  }
  const place = inOrder([...state.queue, row]).indexOf(row) + 1
  const isBehindFront = place > state.queue.length
  const outcome = message.mode === "steer" ? "steering" : "queued"
  const sent = { message: id, outcome, place: isBehindFront ? state.queued + 1 : place, txid: message.txid } as const
  return {
    answer: { sent: outcome === "steering" ? { ...sent, turn: state.status.turn ?? "" } : sent },
    changes: [{ collection: "queue", key: id, operation: "insert", row }],
    status: { ...state.status, activityAt: now },
    queued: state.queued + 1,
    active: hasWork(state.status, [...state.queue, row]),
  }
}

function positionFor(state: ConversationState, message: Send): string {
  if (message.position !== undefined) return message.position
  return message.mode === "steer" ? steerPosition(state.queue) : lastPosition(state.lastQueued)
}

function checkSize(input: ComposerInput): void {
  if (input.source.length * 3 <= limits.messageBytes) return
  const bytes = new TextEncoder().encode(input.source).length
  if (bytes <= limits.messageBytes) return
  throw new Refusal("message.too-large", `The message has ${bytes} bytes; the most is ${limits.messageBytes}.`)
}
