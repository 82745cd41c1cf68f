/**
 * What happens to the queue and to the failed message after a failed turn (QUE-20, QUE-21, TRN-23). Pure.
 *
 *   failed ──may pass, tries left──▶ held until a time, then tried again
 *     ├────gave up, from a trigger──▶ held until a time, then the queue continues without it
 *     ├────a person's message───────▶ held for people; from a time on, messages from triggers start
 *     ├────`hold`───────────────────▶ held until a person resumes it
 *     └────`continue`───────────────▶ not held
 *
 * The delay grows with the failed turns in a row, so that an agent with an invalid key does not go through its whole
 * queue in a minute.
 */
import type { Again, Millis, StatusRow, TurnRow } from "@parlor/protocol"

type OnError = "hold" | "retry" | "continue"

/** How long a queue is held after an error, and how many times a message is tried again. */
export type ErrorHoldSettings = { readonly baseMs: number; readonly maxMs: number; readonly tries: number }

export const defaultErrorHold: ErrorHoldSettings = { baseMs: 30_000, maxMs: 60 * 60_000, tries: 8 }

/** The random part of a delay: half of it at most, so a delay is never longer than this many times its setting. */
export const LONGEST_DELAY = 1.25

export type Failed = {
  readonly status: Pick<StatusRow, "held" | "again" | "failures">
  readonly turn: TurnRow
  /** Whether the fault may pass by itself. */
  readonly isPassing: boolean
  readonly retryAfterMs: number | undefined
  readonly onError: OnError | undefined
  readonly settings: ErrorHoldSettings
  /** When it failed; and by the store's clock, which decides when it is tried again (QUE-23). */
  readonly at: Millis
  readonly storeTime: Millis
  readonly random: number
}

export function afterError(failed: Failed): Pick<StatusRow, "held" | "again" | "failures"> {
  const { status, turn, onError, at } = failed
  const failures = status.failures + 1
  const isOwn = status.again?.message === turn.message
  const others = isOwn ? null : status.again
  // A person stopped or paused the queue: that stays.
  const kept = status.held !== null && status.held.reason !== "error" ? status.held : undefined
  if (onError === "continue") return { held: kept ?? null, again: others, failures }
  const held = { reason: "error", since: at } as const
  if (onError === "hold") return { held: kept ?? held, again: others, failures }
  const until = failed.storeTime + delayOf(failed)
  const again = others ?? againAt(failed, isOwn ? (status.again ?? null) : null, until)
  const isForPeople = status.held?.only === "triggers" || (turn.unattended !== true && again === others)
  const only = isForPeople ? ({ only: "triggers" } as const) : {}
  return { held: kept ?? { ...held, until, ...only }, again, failures }
}

/** Null if it is not tried again. */
function againAt({ turn, isPassing, onError, settings }: Failed, before: Again | null, at: Millis): Again | null {
  const unattended = turn.unattended === true
  const tries = (before?.tries ?? 0) + 1
  const isWanted = unattended || onError === "retry"
  if (!isWanted || !isPassing || turn.compaction !== null || tries > settings.tries) return null
  const { guest, guestsNext, agent } = turn
  const guests = guest === null && guestsNext.length === 0 ? [] : [guest ?? agent, ...guestsNext]
  return { message: turn.message, turn: before?.turn ?? turn.id, guests, unattended, tries, at }
}

function delayOf({ status, settings, retryAfterMs = 0, random }: Failed): number {
  const whole = Math.min(settings.baseMs * 2 ** Math.min(status.failures, 30), settings.maxMs)
  return Math.max(Math.round(whole * (0.75 + random / 2)), Math.min(retryAfterMs, settings.maxMs))
}
