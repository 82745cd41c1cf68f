import type { FiringView } from "./routes/firing.ts"
import type { ScheduleView } from "./routes/schedule.ts"

const SPANS = [
  ["day", 24 * 60 * 60_000],
  ["hour", 60 * 60_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const

/** When a schedule is due, as people say it. A pattern that does not repeat by days stays a pattern. */
export type Recurrence =
  | { readonly kind: "once"; readonly at: number }
  | { readonly kind: "every"; readonly unit: (typeof SPANS)[number][0] | "millisecond"; readonly count: number }
  | ({ readonly timeZone: string } & (
      | { readonly kind: "day" | "weekday"; readonly time: string }
      /** 0 is Sunday. */
      | { readonly kind: "week"; readonly weekday: number; readonly time: string }
      | { readonly kind: "month"; readonly day: string; readonly time: string }
      | { readonly kind: "cron"; readonly cron: string }
    ))

export function recurrenceOf(when: ScheduleView["when"]): Recurrence {
  if ("at" in when) return { kind: "once", at: when.at }
  if ("cron" in when) return cronRecurrence(when.cron, when.timeZone)
  const [unit, ms] = SPANS.find(([, ms]) => when.everyMs % ms === 0) ?? (["millisecond", 1] as const)
  return { kind: "every", unit, count: when.everyMs / ms }
}

/** In words: "every 2 hours", "every weekday at 09:00 (Europe/Berlin)". */
export function spokenWhen(when: ScheduleView["when"]): string {
  const one = recurrenceOf(when)
  if (one.kind === "once") return `once, ${spokenTime(one.at)}`
  if (one.kind === "every") return one.count === 1 ? `every ${one.unit}` : `every ${one.count} ${one.unit}s`
  if (one.kind === "cron") return `${one.cron} (${one.timeZone})`
  const at = `at ${one.time} (${one.timeZone})`
  if (one.kind === "month") return `on day ${one.day} of every month ${at}`
  return `every ${one.kind === "week" ? WEEKDAYS[one.weekday] : one.kind} ${at}`
}

/** The page's form makes patterns that repeat by days; others are shown as they are. */
function cronRecurrence(cron: string, timeZone: string): Recurrence {
  const pattern = { kind: "cron", cron, timeZone } as const
  const [minute, hour, day, month, weekday, ...more] = cron.trim().split(" ")
  if (!isNumber(minute) || !isNumber(hour) || day === undefined || month !== "*" || more.length > 0) return pattern
  const at = { time: `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`, timeZone }
  if (day !== "*") return isNumber(day) && weekday === "*" ? { kind: "month", day, ...at } : pattern
  if (weekday === "*") return { kind: "day", ...at }
  if (weekday === "1-5") return { kind: "weekday", ...at }
  return isNumber(weekday) ? { kind: "week", weekday: Number(weekday) % WEEKDAYS.length, ...at } : pattern
}

function isNumber(field: string | undefined): field is string {
  return field !== undefined && /^\d{1,2}$/.test(field)
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
