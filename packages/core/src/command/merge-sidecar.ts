/**
 * Quotes a sidecar's last answer into its parent as a marked message (BRA-4). It starts no turn: in an idle parent it
 * waits for the next turn, in a busy one it joins the running turn between two steps.
 */
import {
  type Address,
  limits,
  type MessageId,
  type MessageRow,
  parseRow,
  type QueueRow,
  Refusal,
  SIDECAR_ANSWER,
  type StreamId,
  type Trigger,
  type TxId,
} from "@parlor/protocol"
import { answerOf, type SidecarAnswer } from "../branch/quote.ts"
import { conversationAt } from "../log/address.ts"
import { type Decision, decide, readState } from "../log/decide.ts"
import { readLine } from "../log/line.ts"
import { type ConversationState, isBusy, statusChange } from "../log/state.ts"
import { checkRoom, queuing, steerPosition } from "../queue/queue.ts"
import { excerpt } from "../text/excerpt.ts"
import { type Incoming, personMessage } from "../turn/turn.ts"
import type { CommandAccess } from "./command-access.ts"
import { checkSidecar } from "./sidecar.ts"

/** How many messages to search for the last answer. */
const LOOK_BACK = 200

export type Merged = {
  readonly agent: string
  /** The parent. */
  readonly branch: string
  readonly message: string
  readonly outcome: "merged" | "steering"
}

export async function mergeSidecar(
  node: CommandAccess,
  address: Address,
  asked: { readonly txid: TxId; readonly key?: { readonly key: string; readonly hash: string } },
): Promise<Merged> {
  const { id: stream } = await conversationAt(node, address)
  const { status } = await readState(node, stream)
  checkSidecar(address, status)
  if (isBusy(status)) throw new Refusal("conversation.busy", "The sidecar is still replying. Merge it when it is done.")
  const parent = { ...address, branch: status.origin?.branch ?? "" }
  const answer = await lastAnswer(node, stream, status.origin?.ord ?? 0)
  const quote = { branch: address.branch, title: status.title, message: answer.id, text: answerOf(answer) }
  const incoming = incomingOf(node, quote)
  const { key } = asked
  const decided = await decide<Merged>(
    node,
    (await conversationAt(node, parent)).id,
    (state) => (state.status.turn === null ? mergeIdle(node, state, incoming) : mergeBusy(node, state, incoming)),
    {
      txid: asked.txid,
      queue: "whole",
      ...(key === undefined ? {} : { once: (answer) => ({ ...key, answer: JSON.stringify(answer) }) }),
    },
  )
  if (!decided.repeated) return decided.answer
  if (decided.hash === key?.hash) return JSON.parse(decided.answer) as Merged
  throw new Refusal("idempotency.reused", "This Idempotency-Key was used before with another body. Use a new key.")
}

/** The last reply of the agent, or a guest, in the sidecar itself. */
async function lastAnswer(node: CommandAccess, stream: StreamId, above: number): Promise<MessageRow> {
  for await (const { rows } of readLine(node.store, stream, { page: LOOK_BACK, visible: true })) {
    for (const row of rows) {
      const message = parseRow("messages", row.value)
      if (message.ord <= above) throw noAnswer()
      if (message.role === "agent" && message.state !== "failed" && answerOf(message) !== "") return message
    }
    break
  }
  throw noAnswer()
}

function incomingOf(node: CommandAccess, quote: SidecarAnswer): Incoming {
  const from = { scheduleId: null, headers: null, deliveryId: quote.message, subject: quote.branch }
  const trigger: Trigger = { source: "sidecar", firedAt: node.clock.now(), ...from }
  const id = node.ids.next("msg") as MessageId
  return { id, type: SIDECAR_ANSWER, payload: quote, guests: [], trigger, editedFrom: null }
}

function mergeIdle(node: CommandAccess, state: ConversationState, incoming: Incoming): Decision<Merged> {
  if (isBusy(state.status))
    throw new Refusal("conversation.busy", "The parent is being rolled back. Try again in a moment.")
  const now = node.clock.now()
  const row = personMessage(incoming, state.lastOrd + 1, null, now)
  const preview = excerpt((incoming.payload as SidecarAnswer).text, limits.previewLength)
  const status = { ...state.status, preview, activityAt: now }
  return {
    answer: merged(state, incoming, "merged"),
    changes: [{ collection: "messages", key: row.id, operation: "insert", row }, statusChange(status)],
  }
}

function mergeBusy(node: CommandAccess, state: ConversationState, incoming: Incoming): Decision<Merged> {
  checkRoom(state.queued, node.settings.queueLimit)
  const now = node.clock.now()
  const row: QueueRow = {
    attachments: [],
    ...incoming,
    mode: "steer",
    position: steerPosition(state.queue),
    source: "sidecar",
    version: 1,
    lease: null,
    queuedAt: now,
  }
  return {
    answer: merged(state, incoming, "steering"),
    changes: queuing(state, row),
  }
}

function merged({ address }: ConversationState, { id }: Incoming, outcome: Merged["outcome"]): Merged {
  return { agent: address.agent, branch: address.branch, message: id, outcome }
}

function noAnswer(): Refusal {
  return new Refusal("branch.no-answer", "There is nothing to merge: the agent has not replied in this sidecar.")
}
