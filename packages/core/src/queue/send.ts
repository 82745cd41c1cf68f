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
  type TurnId,
  type TxId,
} from "@parlor/protocol"
import { conversationFor } from "../conversation/address.ts"
import { type Decision, decide } from "../conversation/decide.ts"
import { type ConversationState, isBusy } from "../conversation/state.ts"
import type { Node } from "../node.ts"
import { beginDrive } from "../turn/drive.ts"
import { wake } from "../turn/recover.ts"
import { type Start, startTurn } from "../turn/turn.ts"
import { checkRoom, lastPosition, next } from "./queue.ts"

export type Send = {
  readonly input: ComposerInput
  readonly mode: SendMode
  readonly source: string
  readonly txid: TxId
  /** The caller's idempotency key and a digest of what it covers. */
  readonly key?: { readonly key: string; readonly hash: string }
}

type Accepted = { readonly sent: Omit<Sent, "offset">; readonly start?: Start }

export async function send(node: Node, address: Address, message: Send): Promise<Sent> {
  checkSize(message.input)
  const stream = await conversationFor(node, address, message.txid)
  const id = node.ids.next("msg") as MessageId
  const turn = node.ids.next("trn") as TurnId
  const key = message.key
  const decided = await decide<Accepted>(node, stream.id, (state) => accept(node, state, message, id, turn), {
    txid: message.txid,
    ...(key === undefined ? {} : { once: (answer) => ({ ...key, answer: JSON.stringify((answer as Accepted).sent) }) }),
  })
  if (decided.repeated) {
    if (decided.hash !== key?.hash)
      throw new Refusal("idempotency.reused", "This Idempotency-Key was used before with another body. Use a new key.")
    return { ...(JSON.parse(decided.answer) as Omit<Sent, "offset">), offset: formatOffset(decided.seq) }
  }
  const { start, sent } = decided.answer
  if (start) beginDrive(node, { stream: stream.id, address, epoch: decided.appended.epoch, turn: start.turn })
  else wake(node, stream.id)
  return { ...sent, offset: formatOffset(decided.appended.head) }
}

function accept(node: Node, state: ConversationState, message: Send, id: MessageId, turn: TurnId): Decision<Accepted> {
  const now = node.clock.now()
  if (message.mode === "immediate" && mayStart(state, now)) {
    const start = startTurn(state, { id, input: message.input }, turn, now)
    return {
      answer: { start, sent: { message: id, outcome: "started", turn, txid: message.txid } },
      changes: start.changes,
      status: start.status,
      queued: state.queue.length,
      active: true,
      lease: { kind: "claim", owner: node.name, ttlMs: node.settings.leaseMs },
    }
  }
  return enqueue(state, message, id, now)
}

/** An idle conversation starts at once. One that is about to start a queued message lets that one go first (QUE-3). */
function mayStart(state: ConversationState, now: number): boolean {
  if (isBusy(state.status)) return false
  return state.status.held !== null || next(state.queue, now) === undefined
}

function enqueue(state: ConversationState, message: Send, id: MessageId, now: number): Decision<Accepted> {
  checkRoom(state.queue)
  const row: QueueRow = {
    id,
    type: COMPOSER_INPUT,
    payload: message.input as QueueRow["payload"],
    mode: message.mode,
    position: lastPosition(state.queue),
    source: message.source,
    guests: [],
    version: 1,
    lease: null,
    queuedAt: now,
  }
  const queued = state.queue.length + 1
  return {
    answer: { sent: { message: id, outcome: "queued", place: queued, txid: message.txid } },
    changes: [{ collection: "queue", key: id, operation: "insert", row }],
    status: { ...state.status, activityAt: now },
    queued,
    active: isBusy(state.status) || state.status.held === null,
  }
}

function checkSize(input: ComposerInput): void {
  if (input.source.length * 3 <= limits.messageBytes) return
  const bytes = new TextEncoder().encode(input.source).length
  if (bytes <= limits.messageBytes) return
  throw new Refusal("message.too-large", `The message has ${bytes} bytes; the most is ${limits.messageBytes}.`)
}
