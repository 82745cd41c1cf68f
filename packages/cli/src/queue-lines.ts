/** Queued messages as lines, and how a person refers to one. Pure; safe for a terminal. */
import type { QueueRow, StatusRow } from "@parlor/protocol"
import { Complaint } from "./complaint.ts"
import { plain } from "./plain.ts"

const LINE_LENGTH = 80

/** Position, id, mode, source and text of each, in queue order (QUE-3, QUE-13). */
export function queueLines(queue: readonly QueueRow[], now: number): readonly string[] {
  const cells = queue.map((row, index) => [String(index + 1), row.id, modeOf(row), row.source, queuedLine(row, now)])
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...cells.map((row) => row[column]?.length ?? 0)))
  return cells.map((row) => plain(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")))
}

export function textOf(row: QueueRow): string {
  const { payload } = row
  const isObject = typeof payload === "object" && payload !== null && !Array.isArray(payload)
  return isObject && typeof payload.source === "string" ? payload.source : JSON.stringify(payload)
}

/** The first line of the message, its guests, and whether someone is editing it. */
export function queuedLine(row: QueueRow, now: number): string {
  const isEdited = row.lease !== null && row.lease.until > now
  const guests = row.guests.length === 0 ? "" : ` (to ${row.guests.join(", ")})`
  return shortened(textOf(row)) + guests + (isEdited ? " (being edited)" : "")
}

export function shortened(text: string, length = LINE_LENGTH): string {
  const [first = "", ...others] = plain(text).split("\n")
  const isCut = first.length > length || others.some((line) => line.trim() !== "")
  return isCut ? `${first.slice(0, length).trimEnd()}…` : first
}

export function heldLine(held: NonNullable<StatusRow["held"]>, resume: string): string {
  const reasons = {
    stopped: "a turn was stopped",
    error: "a turn failed",
    asked: "someone paused it",
  } as const
  return `The queue is paused: ${reasons[held.reason]}. ${untilWords(held)}Resume it with ${resume}.`
}

/** When it continues by itself (QUE-20, QUE-21). */
function untilWords({ until, only }: NonNullable<StatusRow["held"]>): string {
  if (until === undefined) return ""
  const at = new Date(until).toISOString().slice(11, 16)
  return only === "triggers" ? `Messages from triggers start from ${at} UTC. ` : `It continues by itself at ${at} UTC. `
}

/** The id of a reference: a position in the queue, or an id. */
export function queuedId(queue: readonly QueueRow[], ref: string): string {
  if (!/^\d+$/.test(ref)) return ref
  const row = queue[Number(ref) - 1]
  if (row !== undefined) return row.id
  throw new Complaint(
    queue.length === 0 ? "The queue is empty." : `There is no position ${ref}. The queue has ${queue.length} messages.`,
  )
}

function modeOf({ mode }: QueueRow): string {
  return mode === "immediate" ? "queued" : mode
}
