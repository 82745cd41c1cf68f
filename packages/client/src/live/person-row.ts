import type { ChangeEvent, MessageRow, QueueRow, Snapshot } from "@parlor/protocol"

/** A message of a person as the log has it, started or waiting. A queued message keeps its id when it starts. */
export type PersonRow = { readonly id: string; readonly text: string; readonly at: number }

export function rowsOf(snapshot: Pick<Snapshot, "messages" | "queue">): readonly PersonRow[] {
  return [...snapshot.messages.flatMap(startedRow), ...snapshot.queue.flatMap(waitingRow)]
}

/** Those that are new with these changes. */
export function rowsIn(changes: readonly ChangeEvent[]): readonly PersonRow[] {
  return changes.flatMap((change) => {
    if (change.headers.operation !== "insert") return []
    if (change.type === "messages") return startedRow(change.value)
    return change.type === "queue" ? waitingRow(change.value) : []
  })
}

function startedRow({ id, role, composer, at }: MessageRow): readonly PersonRow[] {
  return role === "person" && composer !== null ? [{ id, text: composer.source, at }] : []
}

function waitingRow({ id, payload, queuedAt }: QueueRow): readonly PersonRow[] {
  const isObject = typeof payload === "object" && payload !== null && !Array.isArray(payload)
  return isObject && typeof payload.source === "string" ? [{ id, text: payload.source, at: queuedAt }] : []
}
