/**
 * What a conversation in which nothing runs does next (QUE-3, QUE-20 to QUE-22). Pure.
 *
 *   a retry is due ──────────────────────────────▶ retry
 *   not held ────────────────────────────────────▶ the first message
 *   held until a time ──it has come──────────────▶ the first message, or the first from a trigger
 *                     └──not yet─────────────────▶ wait
 *   held until a person resumes it, or empty ────▶ nothing
 */
import { type Again, isUnattended, type Millis, type StatusRow } from "@parlor/protocol"
import { head } from "./queue.ts"
import type { Waiting } from "./waiting.ts"

export type NextUp =
  | { readonly kind: "retry"; readonly again: Again }
  | { readonly kind: "message"; readonly row: Waiting }
  | { readonly kind: "wait"; readonly until: Millis }

export function nextUp(
  { held, again }: Pick<StatusRow, "held" | "again">,
  queue: readonly Waiting[],
  isPast: (time: Millis) => boolean,
): NextUp | undefined {
  const heldUntil = held === null ? 0 : held.until
  if (heldUntil === undefined) return undefined
  const retryAt = again === null ? undefined : Math.max(again.at, heldUntil)
  if (again !== null && retryAt !== undefined && isPast(retryAt)) return { kind: "retry", again }
  const row = head(held?.only === "triggers" ? queue.filter(isTriggered) : queue)
  if (row !== undefined && (held === null || isPast(heldUntil))) return { kind: "message", row }
  const until = row === undefined ? retryAt : Math.min(heldUntil, retryAt ?? heldUntil)
  return until === undefined ? undefined : { kind: "wait", until }
}

/** A process may own the conversation although nothing runs, and wait for the end of a hold: a start takes it over. */
export function isTimed({ held, again }: Pick<StatusRow, "held" | "again">): boolean {
  return again !== null || held?.until !== undefined
}

/** Sent when nobody was at the keyboard. */
export function isTriggered({ trigger }: Pick<Waiting, "trigger">): boolean {
  return trigger !== null && isUnattended(trigger.source)
}
