/** Formats days and times. Pure except for the locale and time zone. */
import { t } from "../../texts/en/message.ts"
import { clockText } from "../../texts/format.ts"
import { locale } from "../../texts/texts.ts"

/** Whether a message is from a different day than the one before it. */
export function isAnotherDay(at: number, before: number | undefined): boolean {
  return before === undefined || dayOf(at) !== dayOf(before)
}

export function dayWords(at: number, now: number): string {
  const days = Math.round((startOf(now) - startOf(at)) / DAY_MS)
  if (days === 0) return t("today")
  if (days === 1) return t("yesterday")
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  return new Date(at).toLocaleDateString(locale(), {
    weekday: "long",
    day: "numeric",
    month: "long",
    ...(isThisYear ? {} : { year: "numeric" }),
  })
}

export function timeOf(at: number): string {
  return clockText(at)
}

const DAY_MS = 86_400_000

function dayOf(at: number): string {
  const date = new Date(at)
  return `${date.getFullYear()} ${date.getMonth()} ${date.getDate()}`
}

function startOf(at: number): number {
  const date = new Date(at)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}
