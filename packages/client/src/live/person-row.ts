import type { ChangeEvent, MessageRow, QueueRow, Snapshot } from "@parlor/protocol"

/** A person's message in the log, started or queued. A queued message keeps its id when it starts. */
export type PersonRow = { readonly id: string; readonly text: string; readonly at: number }

export function rowsOf(snapshot: Pick<Snapshot, "messages" | "queue">): readonly PersonRow[] {
  return [...snapshot.messages.flatMap(startedRow), ...snapshot.queue.flatMap(waitingRow)]
}

/** The messages that are new in these changes. */
export function rowsIn(changes: readonly ChangeEvent[]): readonly PersonRow[] {
  return changes.flatMap((change) => {
    if (change.headers.operation !== "insert") return []
    if (change.type === "messages") return startedRow(change.value)
    return change.type === "queue" ? waitingRow(change.value) : []
  })
}

/** Plain text is in the message's parts; composer input is stored only if it contains more than text. */
function startedRow({ id, role, composer, parts, at }: MessageRow): readonly PersonRow[] {
  if (role !== "person") return []
  const text = composer?.source ?? parts.map((part) => (part.type === "text" ? part.text : "")).join("")
  return [{ id, text, at }]
}

function waitingRow({ id, payload, queuedAt }: QueueRow): readonly PersonRow[] {
  const isObject = typeof payload === "object" && payload !== null && !Array.isArray(payload)
  return isObject && typeof payload.source === "string" ? [{ id, text: payload.source, at: queuedAt }] : []
}
