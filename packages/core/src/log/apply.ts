/**
 * Derives a conversation's state from changes: a decision returns only its changes, and status, queue, asks, the row in
 * the person's feed and whether work is left all follow from them (LOG-16). Pure.
 */
import { type AskRow, type FeedNews, type FeedRow, feedKey, inQueueOrder, type NewChange } from "@parlor/protocol"
import { nextUp } from "../queue/next-up.ts"
import type { Waiting } from "../queue/waiting.ts"
import type { ConversationState } from "./state.ts"

/** The state that would be read after the changes are written, except the stream's own counters. */
export function apply(state: ConversationState, changes: readonly NewChange[]): ConversationState {
  let { status, queue, queued, lastQueued, asks, lastOrd } = state
  for (const change of changes) {
    if (change.collection === "status") status = change.row
    else if (change.collection === "messages") lastOrd = Math.max(lastOrd, change.row.ord)
    else if (change.collection === "asks") asks = asksAfter(asks, change.row)
    else if (change.collection === "queue") {
      queue = queueAfter(queue, change)
      queued += change.operation === "insert" ? 1 : change.operation === "delete" ? -1 : 0
      lastQueued = queue.at(-1)
    }
  }
  return { ...state, status, queue, queued, lastQueued, asks, lastOrd }
}

/** Whether work is left: a turn to run, a rollback to finish, or a message that will start by itself, now or later. */
export function hasWork({ status, queue, queued }: ConversationState): boolean {
  if (status.turn !== null || status.busyWith !== null) return true
  if (nextUp(status, queue, () => true) !== undefined) return true
  // The messages behind the front are not known here: the drive that looks finds out.
  return queued > queue.length && (status.held === null || status.held.until !== undefined)
}

/** The conversation's row in its person's feed (LOG-14). */
export function feedRow({ address, status, queued, asks, lastOrd }: ConversationState, news?: FeedNews): FeedRow {
  return {
    agent: address.agent,
    branch: address.branch,
    parent: status.origin?.branch ?? null,
    title: status.title,
    preview: status.preview,
    activityAt: status.activityAt,
    state: status.state,
    held: status.held !== null,
    queued,
    asks: asks.length,
    unread: status.unread,
    latestFile: status.latestFile,
    pinned: status.pinned,
    archived: status.archived,
    labels: status.labels,
    deleteAt: status.deleteAt,
    spoken: lastOrd > 0 || queued > 0,
    ephemeral: status.ephemeral,
    tokens: status.usage.inputTokens + status.usage.outputTokens,
    grantedTokens: status.personGrantedTokens ?? 0,
    news: news ?? null,
  }
}

export function feedChange(
  state: ConversationState,
  news?: FeedNews,
): Extract<NewChange, { collection: "conversations" }> {
  const row = feedRow(state, news)
  return { collection: "conversations", key: feedKey(state.address), operation: "update", row }
}

function queueAfter(
  queue: readonly Waiting[],
  { operation, row }: Extract<NewChange, { collection: "queue" }>,
): readonly Waiting[] {
  const others = queue.filter(({ id }) => id !== row.id)
  return operation === "delete" ? others : inQueueOrder([...others, row])
}

function asksAfter(asks: readonly AskRow[], row: AskRow): readonly AskRow[] {
  const others = asks.filter(({ id }) => id !== row.id)
  return row.state === "open" ? [...others, row] : others
}
