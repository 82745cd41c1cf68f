/** When a schedule is due and what became of a firing, in words. Pure. */
import { type FiringView, type Recurrence, recurrenceOf, type ScheduleView } from "@parlor/protocol"
import { t } from "../../texts/en/trigger.ts"
import { momentText, weekdayText } from "../../texts/format.ts"

export function whenWords(when: ScheduleView["when"]): string {
  const one = recurrenceOf(when)
  if (one.kind === "once") return t("whenOnce", { time: momentText(one.at) })
  if (one.kind === "every") return t(units[one.unit], { count: one.count })
  if (one.kind === "cron") return t("whenCron", one)
  if (one.kind === "week") return t("whenWeek", { ...one, weekday: weekdayText(one.weekday) })
  if (one.kind === "month") return t("whenMonth", one)
  return t(one.kind === "day" ? "whenDay" : "whenWeekday", one)
}

const units = {
  day: "everyDay",
  hour: "everyHour",
  minute: "everyMinute",
  second: "everySecond",
  millisecond: "everyMillisecond",
} as const satisfies Record<Extract<Recurrence, { readonly kind: "every" }>["unit"], string>

/** The result of a firing. */
export function firingWords({ outcome, became, error }: FiringView): string {
  if (outcome === "failed") return t("firedFailed", { detail: error?.detail ?? t("unknownError") })
  if (outcome === "refused") return t("firedRefused", { detail: error?.detail ?? "" })
  if (outcome === "waiting") return t("firedWaiting")
  if (outcome === "missed") return t("firedMissed")
  if (outcome === "delivered") return t("firedDelivered")
  if (became !== null) return t(fates[became])
  return t(outcome === "started" ? "firedStarted" : "firedQueued")
}

const fates = {
  waiting: "becameWaiting",
  running: "becameRunning",
  done: "becameDone",
  stopped: "becameStopped",
  failed: "becameFailed",
  removed: "becameRemoved",
} as const
