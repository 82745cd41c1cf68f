/**
 * When schedules are due in a year, found by looking at every minute of it: for tests, and with nothing of the product.
 */
export type Pattern = {
  readonly cron: string
  readonly zone: string
  readonly minutes: readonly number[]
  /** `any`: every hour, repeated ones twice, missing ones not. */
  readonly hours: readonly number[] | "any"
  readonly weekdays: readonly number[] | "any"
}

const MINUTE = 60_000
/** Clocks change on the half hour at the earliest. */
const BLOCK = 30 * MINUTE

export function pattern(zone: string, minutes: string, hours: string, weekdays: string): Pattern {
  return {
    cron: `${minutes} ${hours} * * ${weekdays}`,
    zone,
    minutes: listed(minutes) as readonly number[],
    hours: listed(hours),
    weekdays: listed(weekdays),
  }
}

/** The instants in [from, to) at which it is due. */
export function dueTimes(pattern: Pattern, from: number, to: number): readonly number[] {
  const walls = wallsOf(pattern.zone, from - 48 * 60 * MINUTE, to + 48 * 60 * MINUTE)
  const due = pattern.hours === "any" ? everyMatch(pattern, walls) : timesOfDay(pattern, walls)
  return due.filter((at) => at >= from && at < to)
}

type Minute = { readonly at: number; readonly wall: number }

function everyMatch(pattern: Pattern, walls: readonly Minute[]): number[] {
  return walls.filter(({ wall }) => matches(pattern, wall)).map(({ at }) => at)
}

/** Each wall time that is named, on each day: when the clocks first show it, or first show a later one. */
function timesOfDay(pattern: Pattern, walls: readonly Minute[]): number[] {
  const first = Math.min(...[walls[0]?.wall ?? 0])
  const last = walls.at(-1)?.wall ?? 0
  const found = new Set<number>()
  let index = 0
  let highest = Number.NEGATIVE_INFINITY
  for (let wall = first; wall <= last; wall += MINUTE) {
    while (index < walls.length && highest < wall) {
      highest = Math.max(highest, walls[index]?.wall ?? 0)
      index += 1
    }
    if (matches(pattern, wall)) found.add(walls[index - 1]?.at ?? Number.NaN)
  }
  return [...found].sort((a, b) => a - b)
}

function matches({ minutes, hours, weekdays }: Pattern, wall: number): boolean {
  const date = new Date(wall)
  if (!minutes.includes(date.getUTCMinutes())) return false
  if (hours !== "any" && !hours.includes(date.getUTCHours())) return false
  return weekdays === "any" || weekdays.includes(date.getUTCDay())
}

const known = new Map<string, readonly Minute[]>()

function wallsOf(zone: string, from: number, to: number): readonly Minute[] {
  const key = `${zone} ${from} ${to}`
  const found = known.get(key) ?? lookAtClocks(zone, from, to)
  known.set(key, found)
  return found
}

function lookAtClocks(zone: string, from: number, to: number): readonly Minute[] {
  const clock = new Intl.DateTimeFormat("sv", { timeZone: zone, dateStyle: "short", timeStyle: "medium" })
  const minutes: Minute[] = []
  for (let block = Math.floor(from / BLOCK) * BLOCK; block < to; block += BLOCK) {
    const offset = Date.parse(`${clock.format(block).replace(" ", "T")}Z`) - block
    for (let at = block; at < block + BLOCK; at += MINUTE) minutes.push({ at, wall: at + offset })
  }
  return minutes
}

function listed(field: string): readonly number[] | "any" {
  if (field === "*") return "any"
  return field.split(",").flatMap((part) => {
    const [low = 0, high = low] = part.split("-").map(Number)
    return Array.from({ length: high - low + 1 }, (_, i) => low + i)
  })
}
