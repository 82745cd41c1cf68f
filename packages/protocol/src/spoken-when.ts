import type { FiringView } from "./routes/firing.ts"
import type { ScheduleView } from "./routes/schedule.ts"

const SPANS = [
  ["day", 24 * 60 * 60_000],
  ["hour", 60 * 60_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const

/** When a schedule is due, in words: "every 2 hours", "every weekday at 09:00 (Europe/Berlin)". */
export function spokenWhen(when: ScheduleView["when"]): string {
  if ("at" in when) return `once, ${spokenTime(when.at)}`
  if ("cron" in when) return `${spokenCron(when.cron) ?? when.cron} (${when.timeZone})`
  const [name, ms] = SPANS.find(([, ms]) => when.everyMs % ms === 0) ?? (["millisecond", 1] as const)
  const count = when.everyMs / ms
  return count === 1 ? `every ${name}` : `every ${count} ${name}s`
}

/** A pattern that repeats by days, such as the page's form makes them; others are shown as they are. */
function spokenCron(cron: string): string | undefined {
  const [minute, hour, day, month, weekday, ...more] = cron.trim().split(" ")
  if (!isNumber(minute) || !isNumber(hour) || month !== "*" || weekday === undefined || more.length > 0)
    return undefined
  const at = `at ${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`
  if (day !== "*") return isNumber(day) && weekday === "*" ? `on day ${day} of every month ${at}` : undefined
  if (weekday === "*") return `every day ${at}`
  if (weekday === "1-5") return `every weekday ${at}`
  const name = isNumber(weekday) ? WEEKDAYS[Number(weekday) % WEEKDAYS.length] : undefined
  return name && `every ${name} ${at}`
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
