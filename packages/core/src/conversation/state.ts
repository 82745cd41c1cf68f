/** What decisions look at: small, and of the same size however long the conversation is. */
import {
  type Address,
  assert,
  emptyUsage,
  type FeedRow,
  feedKey,
  type Millis,
  type NewChange,
  type QueueRow,
  STATUS_KEY,
  type StatusRow,
} from "@parlor/protocol"
import type { RowQuery, RowsRead, Stream } from "../ports/store.ts"
import { inOrder } from "../queue/queue.ts"

export type ConversationState = {
  readonly stream: Stream
  readonly address: Address
  readonly status: StatusRow
  /** In the order they will start. */
  readonly queue: readonly QueueRow[]
  readonly lastOrd: number
}

export const stateQueries: readonly RowQuery[] = [
  { collection: "status" },
  { collection: "queue" },
  { collection: "messages", newest: 1 },
]

export function stateOf(read: RowsRead): ConversationState {
  const { stream, lists } = read
  assert(stream.key.kind === "conversation", "only a conversation has a state")
  const status = lists[0]?.[0]
  return {
    stream,
    address: stream.key,
    status: status ? (JSON.parse(status.value) as StatusRow) : newStatus(0),
    queue: inOrder((lists[1] ?? []).map((row) => JSON.parse(row.value) as QueueRow)),
    lastOrd: lists[2]?.[0]?.ord ?? 0,
  }
}

export function newStatus(now: Millis): StatusRow {
  return {
    state: "idle",
    busyWith: null,
    held: null,
    turn: null,
    message: null,
    attempt: null,
    retryAt: null,
    error: null,
    usage: emptyUsage,
    title: "",
    preview: "",
    pinned: false,
    archived: false,
    ephemeral: false,
    unread: false,
    activityAt: now,
    since: now,
  }
}

export function isBusy(status: StatusRow): boolean {
  return status.state === "busy" || status.state === "retrying" || status.state === "waiting"
}

export function statusChange(status: StatusRow, operation: "insert" | "update" = "update"): NewChange {
  return { collection: "status", key: STATUS_KEY, operation, row: status }
}

/** The conversation's row in its person's feed: a view of its status and queue (LOG-14). */
export function feedChange(address: Address, status: StatusRow, queued: number): NewChange {
  const row: FeedRow = {
    agent: address.agent,
    branch: address.branch,
    title: status.title,
    preview: status.preview,
    activityAt: status.activityAt,
    state: status.state,
    held: status.held !== null,
    queued,
    asks: 0,
    unread: status.unread,
    latestFile: null,
    pinned: status.pinned,
    archived: status.archived,
    ephemeral: status.ephemeral,
  }
  return { collection: "conversations", key: feedKey(address), operation: "update", row }
}
