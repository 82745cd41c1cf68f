/** What decisions read: small, however long the conversation, its queue and its messages are. */
import {
  type Address,
  type AskRow,
  assert,
  blankStatus,
  inQueueOrder,
  type Millis,
  type NewChange,
  parseRows,
  type QueueRow,
  STATUS_KEY,
  type StatusRow,
} from "@parlor/protocol"
import type { RowQuery, RowsRead, Stream } from "../ports/store.ts"
import { isWhole, parseWaiting, type Waiting } from "../queue/waiting.ts"

/** How much of the queue's front a decision sees unless it requests the whole. */
export const FRONT = 8
const OPEN_ASKS = 20

export type ConversationState = {
  readonly stream: Stream
  readonly address: Address
  readonly status: StatusRow
  /** In the order they will start: the front of the queue, or the whole of it. */
  readonly queue: readonly Waiting[]
  /** The length of the whole queue. */
  readonly queued: number
  readonly lastQueued: Waiting | undefined
  /** Open asks only. */
  readonly asks: readonly AskRow[]
  readonly lastOrd: number
}

export const stateQueries: readonly RowQuery[] = queriesOf({ collection: "queue", first: FRONT, outlines: true })
/** Includes the whole queue. */
export const wholeQueueQueries: readonly RowQuery[] = queriesOf({ collection: "queue", outlines: true })
/** Includes the whole queue with full messages, for showing it. */
export const wholeStateQueries: readonly RowQuery[] = queriesOf({ collection: "queue" })

/** For a queue longer than its front; `withQueueEnd` adds its length. */
export const queueEndQueries: readonly RowQuery[] = [
  { collection: "queue", last: 1, outlines: true },
  { collection: "queue", count: true },
]

export function withQueueEnd(state: ConversationState, read: RowsRead): ConversationState {
  const [last, count] = read.lists
  return { ...state, lastQueued: last?.[0] && parseWaiting(last[0].value), queued: Number(count?.[0]?.value ?? 0) }
}

/** From the result of `wholeStateQueries`. */
export function wholeStateOf(read: RowsRead): ConversationState & { readonly queue: readonly QueueRow[] } {
  const state = stateOf(read)
  return { ...state, queue: state.queue.filter(isWhole) }
}

/** Assumes that the queue was read as a whole. */
export function stateOf(read: RowsRead): ConversationState {
  const { stream, lists } = read
  assert(stream.key.kind === "conversation", "only a conversation has a state")
  const [status, waiting, asks, newest] = lists
  const queue = inQueueOrder((waiting ?? []).map(({ value }) => parseWaiting(value)))
  const known = parseRows("status", status)[0]
  return {
    stream,
    address: stream.key,
    status: known ?? newStatus(0),
    queue,
    lastQueued: queue.at(-1),
    queued: queue.length,
    asks: parseRows("asks", asks),
    // A branch continues the numbering of its fork.
    lastOrd: newest?.[0]?.ord ?? known?.origin?.ord ?? 0,
  }
}

/** The state of a conversation that is being created. A branch continues the numbering of its fork. */
export function newState(stream: Stream, address: Address, status: StatusRow): ConversationState {
  const nothing = { queue: [], lastQueued: undefined, queued: 0, asks: [] }
  return { stream, address, status, ...nothing, lastOrd: status.origin?.ord ?? 0 }
}

export function newStatus(now: Millis): StatusRow {
  return { ...blankStatus, titledBy: "words", activityAt: now, since: now }
}

export function isBusy(status: StatusRow): boolean {
  return status.state === "busy" || status.state === "retrying" || status.state === "waiting"
}

export function statusChange(status: StatusRow, operation: "insert" | "update" = "update"): NewChange {
  return { collection: "status", key: STATUS_KEY, operation, row: status }
}

function queriesOf(queue: RowQuery): readonly RowQuery[] {
  return [
    { collection: "status" },
    queue,
    { collection: "asks", first: OPEN_ASKS },
    { collection: "messages", newest: 1 },
  ]
}
