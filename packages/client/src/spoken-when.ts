import type { FiringView, ScheduleView } from "@parlor/protocol"

const SPANS = [
  ["day", 24 * 60 * 60_000],
  ["hour", 60 * 60_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const

/** When a schedule is due, in words: "every 2 hours", "0 9 * * 1 (Europe/Berlin)". */
export function spokenWhen(when: ScheduleView["when"]): string {
  if ("at" in when) return `once, ${spokenTime(when.at)}`
  if ("cron" in when) return `${when.cron} (${when.timeZone})`
  const [name, ms] = SPANS.find(([, ms]) => when.everyMs % ms === 0) ?? (["millisecond", 1] as const)
  const count = when.everyMs / ms
  return count === 1 ? `every ${name}` : `every ${count} ${name}s`
}

/** In this machine's time zone. */
export function spokenTime(at: number): string {
  return new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })
}

/** The result of a firing, in words. */
export function spokenFiring({ outcome, became, error }: FiringView): string {
  if (outcome === "failed") return `failed: ${error?.detail ?? "unknown error"}`
  if (outcome === "refused") return `refused: ${error?.detail ?? ""}`
  if (outcome === "waiting") return "skipped: one was already queued"
  if (outcome === "missed") return "missed"
  if (outcome === "delivered") return "delivered"
  return became === null ? outcome : FATES[became]
}

const FATES = {
  waiting: "queued",
  running: "running",
  done: "done",
  stopped: "stopped",
  failed: "its turn failed",
  removed: "removed from the queue",
} as const
