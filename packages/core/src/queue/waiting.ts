/**
 * What decisions read of waiting messages (QUE-17): everything but what they say, so that a queue of long messages costs
 * no more than one of short ones. Pure; `log/whole-row.ts` reads what the message says that starts or is changed.
 */
import type { QueueRow } from "@parlor/protocol"

/** A waiting message. A short one has with it what it says. */
export type Waiting = Omit<QueueRow, "payload" | "attachments">

/** A row of at most this length is read as it is: reading again what it says would cost more than it saves. */
const WHOLE_CHARS = 1_024

/** Stored beside a row of that length; undefined for a short one. */
export function outlineOf(row: QueueRow, chars: number): string | undefined {
  if (chars <= WHOLE_CHARS) return undefined
  const { payload: _, attachments: __, ...rest } = row
  return JSON.stringify({ ...rest, trigger: withoutHeaders(row) })
}

export function isWhole(row: Waiting): row is QueueRow {
  return "payload" in row
}

/** What the log says of a message that has left the queue: which one it was, not what it said (QUE-18). */
export function leftRow(row: Waiting): QueueRow {
  return { ...row, payload: null, attachments: [], trigger: withoutHeaders(row) }
}

/** Rows written by 0.1.0 lack what came since. Most lack nothing, and a copy of each would cost every decision. */
export function completedWaiting(row: Waiting): Waiting {
  if (row.trigger !== undefined && row.editedFrom !== undefined && (!isWhole(row) || row.attachments)) return row
  return { ...NEWER, ...(isWhole(row) ? { attachments: [] } : {}), ...row }
}

const NEWER = { trigger: null, editedFrom: null } as const

function withoutHeaders({ trigger }: Waiting): QueueRow["trigger"] {
  return trigger && { ...trigger, headers: null, subject: null }
}
