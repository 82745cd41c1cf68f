import {
  type ChangeEvent,
  type Collection,
  deltaKey,
  emptyUsage,
  formatOffset,
  type MessageRow,
  type Operation,
  type RowOf,
  type Snapshot,
  STATUS_KEY,
  type StatusRow,
} from "@parlor/protocol"

export const idle = {
  state: "idle",
  busyWith: null,
  held: null,
  turn: null,
  message: null,
  attempt: null,
  retryAt: null,
  error: null,
  title: "",
  usage: emptyUsage,
  activityAt: 0,
  since: 0,
} as unknown as StatusRow

/** Numbers the changes it is given, as a log does. */
export class Log {
  readonly changes: ChangeEvent[] = []

  add<C extends Collection>(type: C, key: string, value: RowOf<C>, operation: Operation = "insert"): ChangeEvent {
    const offset = formatOffset(this.changes.length + 1)
    const headers = { operation, txid: "t", timestamp: "2026-01-01T00:00:00.000Z", offset }
    const change = { type, key, value, headers } as unknown as ChangeEvent
    this.changes.push(change)
    return change
  }

  message(row: MessageRow, operation: Operation = "insert"): ChangeEvent {
    return this.add("messages", row.id, row, operation)
  }

  delta(message: string, n: number, text: string, part = 0): ChangeEvent {
    const row = { message, part, kind: "text", n, text } as RowOf<"deltas">
    return this.add("deltas", deltaKey(row), row)
  }

  status(change: Partial<StatusRow>): ChangeEvent {
    return this.add("status", STATUS_KEY, { ...idle, ...change }, "update")
  }
}

export function said(id: string, ord: number, text: string, change: Partial<MessageRow> = {}): MessageRow {
  return {
    id: id as MessageRow["id"],
    ord,
    role: "agent",
    author: "",
    turn: null,
    state: "done",
    parts: text === "" ? [] : [{ type: "text", text }],
    composer: null,
    inbox: null,
    trigger: null,
    dimmed: false,
    editedFrom: null,
    usage: null,
    at: 0,
    ...change,
  }
}

export function typed(id: string, ord: number, source: string): MessageRow {
  return said(id, ord, source, { role: "person", composer: { source } })
}

export function snapshotOf(messages: readonly MessageRow[], seq: number, change: Partial<Snapshot> = {}): Snapshot {
  return {
    agent: "host",
    person: "me",
    branch: "main",
    title: "",
    status: idle,
    messages: [...messages],
    older: null,
    queue: [],
    asks: [],
    commands: [],
    archives: [],
    queued: 0,
    rollbacks: [],
    inherited: [],
    branches: [],
    files: { count: 0, latest: null },
    usage: emptyUsage,
    offset: formatOffset(seq),
    ...change,
  }
}
