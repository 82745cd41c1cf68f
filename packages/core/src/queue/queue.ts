/**
 * The queued messages of one conversation.
 *
 * Pure: nothing here reads a clock, a store or the network; `drive/drive.ts` decides when to start the next one.
 *
 * Rules: docs/spec/queue.md
 */
import {
  limits,
  type Millis,
  type NewChange,
  type QueueRow,
  Refusal,
  STATUS_KEY,
  type StatusRow,
} from "@parlor/protocol"
import { generateKeyBetween } from "fractional-indexing"
import { leftRow, type Waiting } from "./waiting.ts"

/** The message that starts next, whether or not it may start yet. */
export function head(queue: readonly Waiting[]): Waiting | undefined {
  return queue.find((message) => message.mode !== "paused")
}

/** Someone has it open for editing, so neither it nor those behind it start (QUE-8). */
function isLeased(message: Waiting, now: Millis): boolean {
  return message.lease !== null && message.lease.until > now
}

/** Messages that join the running turn. One that is being edited is not ready; one for guests gets turns of its own. */
export function steering(queue: readonly Waiting[], now: Millis): readonly Waiting[] {
  return queue.filter((message) => message.mode === "steer" && message.guests.length === 0 && !isLeased(message, now))
}

/** Adds a message to the queue and moves its conversation to the top of the list (LOG-14). */
export function queuing({ status }: { readonly status: StatusRow }, row: QueueRow): readonly NewChange[] {
  const activityAt = Math.max(status.activityAt, row.queuedAt)
  return [
    { collection: "queue", key: row.id, operation: "insert", row },
    { collection: "status", key: STATUS_KEY, operation: "update", row: { ...status, activityAt } },
  ]
}

export function removal(row: Waiting): NewChange {
  return { collection: "queue", key: row.id, operation: "delete", row: leftRow(row) }
}

export function lastPosition(last: Waiting | undefined): string {
  return positionBetween(last?.position ?? null, null)
}

/** Steering messages go before the others, in their own order: they are next if the turn ends without them (TRN-9). */
export function steerPosition(queue: readonly Waiting[]): string {
  const ordinary = queue.findIndex((message) => message.mode !== "steer")
  const place = ordinary < 0 ? queue.length : ordinary
  return positionBetween(queue[place - 1]?.position ?? null, queue[place]?.position ?? null)
}

/** The position directly before or after another message. */
export function positionBeside(
  queue: readonly Waiting[],
  moved: string,
  place: { readonly before?: string | undefined; readonly after?: string | undefined },
): string {
  const others = queue.filter((message) => message.id !== moved)
  const anchor = place.before ?? place.after
  const index = others.findIndex((message) => message.id === anchor)
  if (index < 0)
    throw new Refusal(
      "position.invalid",
      `The message ${anchor} is not in this queue.`,
      place.before ? "/before" : "/after",
    )
  const [low, high] = place.before === undefined ? [index, index + 1] : [index - 1, index]
  return positionBetween(others[low]?.position ?? null, others[high]?.position ?? null)
}

/** Positions are fractional keys: there is always room between two of them. */
export function checkPosition(position: string): void {
  try {
    generateKeyBetween(position, null)
  } catch {
    throw new Refusal(
      "position.invalid",
      `${JSON.stringify(position)} is not a valid position. Omit it, or use before or after.`,
      "/position",
    )
  }
}

export function checkRoom(queued: number, most: number): void {
  if (queued < most) return
  throw new Refusal("queue.full", `The queue is full (${most} messages). Wait for some to run, or remove some.`)
}

/**
 * Two messages may have been given the same position; then there is nothing in between, and after the first will do.
 */
function positionBetween(low: string | null, high: string | null): string {
  if (low !== null && high !== null && low >= high) return low
  const position = generateKeyBetween(low, high)
  if (position.length <= limits.positionLength) return position
  throw new Refusal("position.invalid", "Too many messages were moved to this position. Move it somewhere else.")
}
