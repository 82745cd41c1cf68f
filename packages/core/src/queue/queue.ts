/**
 * The messages waiting their turn in one conversation.
 *
 * Pure: nothing here reads a clock, a store or the network; `turn/drive.ts` decides when to ask for the next one.
 *
 * Rules: docs/spec/queue.md
 */
import { limits, type Millis, type QueueRow, Refusal } from "@parlor/protocol"
import { generateKeyBetween } from "fractional-indexing"

/** Position, then time of arrival, then id (QUE-3). */
export function inOrder(queue: readonly QueueRow[]): readonly QueueRow[] {
  return [...queue].sort((a, b) => compare(a.position, b.position) || a.queuedAt - b.queuedAt || compare(a.id, b.id))
}

export function lastPosition(queue: readonly QueueRow[]): string {
  return generateKeyBetween(queue.at(-1)?.position ?? null, null)
}

/** The message that may start, or undefined. A leased one keeps those behind it waiting (QUE-8). */
export function next(queue: readonly QueueRow[], now: Millis): QueueRow | undefined {
  const head = queue.find((message) => message.mode !== "paused")
  return head && (head.lease === null || head.lease.until <= now) ? head : undefined
}

export function checkRoom(queue: readonly QueueRow[]): void {
  if (queue.length < limits.queued) return
  throw new Refusal(
    "queue.full",
    `${limits.queued} messages are waiting already. Wait for some to run, or remove some.`,
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
