/**
 * What decisions read of queued messages (QUE-17): everything but their content, so that a queue of long messages costs
 * no more than one of short ones. Pure; `log/whole-row.ts` reads the content of a message that starts or is changed.
 */
import { addedFields, completeRow, type QueueRow } from "@parlor/protocol"

/** A queued message. A short one includes its content. */
export type Waiting = Omit<QueueRow, "payload" | "attachments">

/** A row of at most this length is read in full: a second read would cost more than it saves. */
const WHOLE_CHARS = 1_024

/** Stored with a longer row; undefined for a short one. */
export function outlineOf(row: QueueRow, chars: number): string | undefined {
  if (chars <= WHOLE_CHARS) return undefined
  const { payload: _, attachments: __, ...rest } = row
  return JSON.stringify({ ...rest, trigger: withoutHeaders(row) })
}

export function isWhole(row: Waiting): row is QueueRow {
  return "payload" in row
}

/** What the log keeps of a message that has left the queue: which one it was, not its content (QUE-18). */
export function leftRow(row: Waiting): QueueRow {
  return { ...row, payload: null, attachments: [], trigger: withoutHeaders(row) }
}

/** A row of the queue or its outline, complete (LOG-35). */
export function parseWaiting(stored: string): Waiting {
  const row = JSON.parse(stored) as Waiting
  return isWhole(row) ? completeRow(row, addedFields.queue) : completeRow(row, ADDED_TO_OUTLINES)
}

const { attachments: _, ...ADDED_TO_OUTLINES } = addedFields.queue

function withoutHeaders({ trigger }: Waiting): QueueRow["trigger"] {
  return trigger && { ...trigger, headers: null, subject: null }
}
