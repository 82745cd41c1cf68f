/** Formats days and times. Pure except for the locale and time zone. */

/** Whether a message is from a different day than the one before it. */
export function isAnotherDay(at: number, before: number | undefined): boolean {
  return before === undefined || dayOf(at) !== dayOf(before)
}

export function dayWords(at: number, now: number): string {
  const days = Math.round((startOf(now) - startOf(at)) / DAY_MS)
  if (days === 0) return "Today"
  if (days === 1) return "Yesterday"
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  return new Date(at).toLocaleDateString([], {
    weekday: "long",
    day: "numeric",
    month: "long",
    ...(isThisYear ? {} : { year: "numeric" }),
  })
}

export function timeOf(at: number): string {
  return times.format(at)
}

const DAY_MS = 86_400_000
/** Created once: creating a formatter costs more than the rest of a row. */
const times = new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit" })

function dayOf(at: number): string {
  const date = new Date(at)
  return `${date.getFullYear()} ${date.getMonth()} ${date.getDate()}`
}

function startOf(at: number): number {
  const date = new Date(at)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}
