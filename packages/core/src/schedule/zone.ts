/**
 * Wall clock times in a time zone. Pure.
 *
 * A wall time is represented as the UTC milliseconds of the same digits. Some wall times are skipped (spring), some
 * come twice (autumn): a skipped time stands for the moment of the shift, a repeated one for its first occurrence.
 */
import type { Millis } from "@parlor/protocol"

const DAY_MS = 24 * 60 * 60_000
const MAX_FORMATS = 200
/** Bisecting two days down to a millisecond. */
const HALVINGS = 28

const formats = new Map<string, Intl.DateTimeFormat>()

export function wallOf(zone: string, at: Millis): Millis {
  return at + offsetAt(zone, at)
}

export function instantOf(zone: string, wall: Millis): Millis {
  const before = offsetAt(zone, wall - DAY_MS)
  const after = offsetAt(zone, wall + DAY_MS)
  const early = wall - Math.max(before, after)
  const late = wall - Math.min(before, after)
  if (wallOf(zone, early) === wall) return early
  if (wallOf(zone, late) === wall) return late
  return firstAfter(zone, wall, early, late)
}

/** The clocks show less than `wall` at `low` and more at `high`: finds the first moment at which they show more. */
function firstAfter(zone: string, wall: Millis, low: Millis, high: Millis): Millis {
  let [shows, showsMore] = [low, high]
  for (let i = 0; i < HALVINGS && showsMore - shows > 1; i++) {
    const middle = Math.floor((shows + showsMore) / 2)
    if (wallOf(zone, middle) > wall) showsMore = middle
    else shows = middle
  }
  return showsMore
}

/** The zone's offset from UTC at this moment. */
function offsetAt(zone: string, at: Millis): number {
  if (zone === "UTC") return 0
  const figures: Record<string, number> = {}
  for (const { type, value } of formatOf(zone).formatToParts(at)) figures[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = figures
  const whole = Math.floor(at / 1_000) * 1_000
  return Date.UTC(year, month - 1, day, hour, minute, second) - whole
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  if (formats.size >= MAX_FORMATS) formats.clear()
  const format = new Intl.DateTimeFormat("en-US-u-ca-iso8601", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  })
  formats.set(zone, format)
  return format
}
