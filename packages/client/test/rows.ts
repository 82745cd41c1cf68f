import {
  type ChangeEvent,
  type Collection,
  deltaKey,
  formatOffset,
  type MessageRow,
  type Operation,
  type RowOf,
  type Snapshot,
  STATUS_KEY,
  type StatusRow,
} from "@parlor/protocol"
import { messageOf, snapshotWith, statusWith } from "@parlor/protocol/testing"

/** Numbers the changes as a log does. */
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
    return this.add("status", STATUS_KEY, statusWith(change), "update")
  }
}

export { messageOf as said }

export function typed(id: string, ord: number, source: string): MessageRow {
  return messageOf(id, ord, source, { role: "person", composer: { source } })
}

export function snapshotOf(messages: readonly MessageRow[], seq: number, change: Partial<Snapshot> = {}): Snapshot {
  return snapshotWith({ messages: [...messages], offset: formatOffset(seq), ...change })
}
