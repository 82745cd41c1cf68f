/**
 * Complete default rows for the tests of every package. A test overrides only the fields it is about, so a new field
 * is added here once.
 */
import { COMPOSER_INPUT } from "../constants.ts"
import type { AskId, MessageId, TurnId } from "../ids.ts"
import { formatOffset } from "../offset.ts"
import type { Snapshot } from "../requests.ts"
import type { AskRow } from "../rows/ask.ts"
import { blankMessage, blankStatus, emptyUsage } from "../rows/blank-rows.ts"
import type { FeedRow } from "../rows/feed.ts"
import type { MessageRow, Part } from "../rows/message.ts"
import type { QueueRow } from "../rows/queue.ts"
import type { RollbackRow } from "../rows/rollback.ts"
import type { StatusRow } from "../rows/status.ts"

export function messageWith(change: Partial<MessageRow> = {}): MessageRow {
  return {
    ...blankMessage,
    id: "msg_1" as MessageId,
    ord: 1,
    role: "agent",
    state: "done",
    parts: [],
    at: 0,
    ...change,
  }
}

/** With one part of text; none when the text is empty. */
export function messageOf(id: string, ord: number, text: string, change: Partial<MessageRow> = {}): MessageRow {
  const parts: Part[] = text === "" ? [] : [{ type: "text", text }]
  return messageWith({ id: id as MessageId, ord, parts, ...change })
}

export function queuedWith(id: string, change: Partial<QueueRow> = {}): QueueRow {
  return {
    id: id as MessageId,
    type: COMPOSER_INPUT,
    payload: { source: `text of ${id}` },
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

export function askWith(change: Partial<AskRow> = {}): AskRow {
  return {
    id: "ask_1" as AskId,
    turn: "trn_1" as TurnId,
    call: null,
    kind: "question",
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

export function statusWith(change: Partial<StatusRow> = {}): StatusRow {
  return { ...blankStatus, ...change }
}

export function rollbackWith(id: string, change: Partial<RollbackRow> = {}): RollbackRow {
  return {
    id,
    to: null,
    from: null,
    toOrd: 0,
    fromOrd: 0,
    scope: "conversation",
    state: "done",
    cancels: null,
    files: [],
    change: null,
    at: 0,
    began: 1,
    ended: null,
    earlier: [],
    ...change,
  }
}

export function feedRowWith(change: Partial<FeedRow> = {}): FeedRow {
  return {
    agent: "host",
    branch: "main",
    parent: null,
    title: "",
    preview: "",
    activityAt: 0,
    state: "idle",
    held: false,
    queued: 0,
    asks: 0,
    unread: false,
    latestFile: null,
    pinned: false,
    archived: false,
    labels: [],
    deleteAt: null,
    spoken: true,
    ephemeral: false,
    tokens: 0,
    grantedTokens: 0,
    news: null,
    ...change,
  }
}

export function snapshotWith(change: Partial<Snapshot> = {}): Snapshot {
  return {
    agent: "host",
    person: "me",
    branch: "main",
    title: "",
    status: statusWith(),
    messages: [],
    older: null,
    queue: [],
    asks: [],
    slashCommands: [],
    archives: [],
    queued: 0,
    rollbacks: [],
    turns: [],
    inherited: [],
    branches: [],
    files: { count: 0, latest: null },
    usage: emptyUsage,
    offset: formatOffset(0),
    ...change,
  }
}
