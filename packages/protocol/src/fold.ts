/**
 * Folds changes into current rows: what the store keeps beside the log and what every client shows (LOG-5).
 *
 * A text streams as `deltas` rows. When its message stops streaming, the full message row carries the text and its
 * deltas are dropped. Folding is idempotent: applying a change twice results in the same rows.
 */
import type { ChangeEvent } from "./change.ts"
import type { Collection, RowOf } from "./collections.ts"
import type { DeltaRow, MessageRow, Part } from "./rows/message.ts"

export type Rows = { readonly [C in Collection]: Map<string, RowOf<C>> }

export function emptyRows(): Rows {
  return {
    status: new Map(),
    messages: new Map(),
    deltas: new Map(),
    queue: new Map(),
    turns: new Map(),
    asks: new Map(),
    slashCommands: new Map(),
    archives: new Map(),
    rollbacks: new Map(),
    files: new Map(),
    changes: new Map(),
    branches: new Map(),
    conversations: new Map(),
    grants: new Map(),
    shared: new Map(),
  }
}

/** Applies changes in order. Mutates `rows` and returns it, so that folding a long log copies nothing. */
export function fold(rows: Rows, changes: Iterable<ChangeEvent>): Rows {
  for (const change of changes) apply(rows, change)
  return rows
}

/** A delta's key. The message id comes first, so that a finished message's deltas can be dropped by prefix. */
export function deltaKey(delta: Pick<DeltaRow, "message" | "part" | "n">): string {
  return `${delta.message}/${delta.part}/${delta.n}`
}

export function endsStreaming(row: MessageRow): boolean {
  return row.state !== "streaming"
}

/** The message with the text of its deltas: what a person has seen of a reply that is still streaming. */
export function withDeltas(message: MessageRow, deltas: Iterable<DeltaRow>): MessageRow {
  if (endsStreaming(message)) return message
  const texts = new Map<number, DeltaRow[]>()
  for (const delta of deltas) {
    if (delta.message !== message.id) continue
    const known = texts.get(delta.part)
    if (known) known.push(delta)
    else texts.set(delta.part, [delta])
  }
  if (texts.size === 0) return message
  const parts: Part[] = [...message.parts]
  for (const [index, list] of [...texts].sort(([a], [b]) => a - b)) {
    const text = list
      .sort((a, b) => a.n - b.n)
      .map((delta) => delta.text)
      .join("")
    const kind = list[0]?.kind ?? "text"
    parts[index] = { type: kind, text }
  }
  return { ...message, parts: parts.filter((part) => part !== undefined) }
}

function apply(rows: Rows, change: ChangeEvent): void {
  const table = rows[change.type] as Map<string, unknown> | undefined
  if (table === undefined) return
  if (change.headers.operation === "delete") table.delete(change.key)
  else table.set(change.key, change.value)
  if (change.type === "messages" && endsStreaming(change.value)) dropDeltas(rows.deltas, change.value.id)
}

function dropDeltas(deltas: Map<string, DeltaRow>, message: string): void {
  for (const [key, delta] of deltas) if (delta.message === message) deltas.delete(key)
}
