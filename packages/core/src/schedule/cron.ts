/**
 * Cron patterns in a time zone. Pure: croner only does the arithmetic.
 *
 * A pattern with specific hours means times of day. When clocks go forward, a skipped time is due right after the gap;
 * when they go back, a repeated time is due the first time. A pattern with `*` for the hour means an interval, and
 * continues through both.
 */
import { type Millis, Refusal } from "@parlor/protocol"
import { Cron } from "croner"
import { instantOf, wallOf } from "./zone.ts"

const NICKNAMES: Readonly<Record<string, string>> = {
  "@hourly": "0 * * * *",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@weekly": "0 0 * * 0",
  "@monthly": "0 0 1 * *",
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
}
/** Minute, hour, day, month, weekday. A question mark would mean the time of parsing. */
const FIVE_FIELDS = /^(?:[\w*,/#-]+\s+){4}[\w*,/#-]+$/
const MAX_PATTERNS = 1_000
/** How often a repeated time of day may be skipped: once per minute of a long shift. */
const MAX_REPEATED = 24 * 60

/** The longest shift of clocks, and how many times of a pattern it may contain: one per minute. */
const MAX_SHIFT_MS = 2 * 3_600_000
const MAX_SHIFTED = 120

type Pattern = {
  /** In wall time, as if it were UTC. */
  readonly walls: Cron
  readonly namesHours: boolean
  readonly text: string
}

const patterns = new Map<string, Pattern>()

/** Throws if the pattern is invalid or never due. */
export function checkCron(cron: string, pointer: string): void {
  try {
    if (patternOf(cron).walls.nextRun(new Date(0)) !== null) return
  } catch (error) {
    throw new Refusal("schedule.invalid", `"${cron}" is not a valid cron pattern. ${whyOf(error)}`, pointer)
  }
  throw new Refusal("schedule.invalid", `"${cron}" is never due: that day does not exist.`, pointer)
}

/** The first time after `after`. */
export function nextByCron(cron: string, zone: string, after: Millis): Millis | undefined {
  const pattern = patternOf(cron)
  if (!pattern.namesHours) return zoned(pattern, zone).nextRun(new Date(after))?.getTime()
  let wall = wallOf(zone, after)
  for (let i = 0; i < MAX_REPEATED; i++) {
    const next = pattern.walls.nextRun(new Date(wall))?.getTime()
    if (next === undefined) return undefined
    const at = instantOf(zone, next)
    if (at > after) return at
    wall = next
  }
  return undefined
}

/** The first of the last `count` times up to `now`, or of all if there were fewer. */
export function earliestOf(cron: string, zone: string, now: Millis, count: number): Millis | undefined {
  const earliest = earliestWall(cron, zone, now, count)
  if (earliest === undefined || isSameShift(zone, earliest - MAX_SHIFT_MS, now)) return earliest
  // Clocks changed in between: some wall times came twice, or not at all, or at the same moment.
  const times: Millis[] = []
  const from = (earliestWall(cron, zone, now, count + MAX_SHIFTED) ?? earliest) - 1
  for (let at = nextByCron(cron, zone, from); at !== undefined && at <= now; at = nextByCron(cron, zone, at))
    times.push(at)
  return times.at(-count) ?? times[0]
}

/** The start of the last `count` wall times before now. */
function earliestWall(cron: string, zone: string, now: Millis, count: number): Millis | undefined {
  const wall = wallOf(zone, now)
  const oldest = patternOf(cron)
    .walls.previousRuns(count, new Date(wall + 1_000))
    .at(-1)
  return oldest && instantOf(zone, oldest.getTime())
}

function isSameShift(zone: string, a: Millis, b: Millis): boolean {
  return wallOf(zone, a) - a === wallOf(zone, b) - b
}

function patternOf(cron: string): Pattern {
  const known = patterns.get(cron)
  if (known !== undefined) return known
  const trimmed = cron.trim()
  const text = NICKNAMES[trimmed.toLowerCase()] ?? trimmed
  if (!FIVE_FIELDS.test(text))
    throw new Error("Use five fields: minute, hour, day of the month, month, day of the week.")
  const pattern = {
    text,
    walls: new Cron(text, options("UTC")),
    namesHours: !(text.split(/\s+/)[1] ?? "").includes("*"),
  }
  if (patterns.size >= MAX_PATTERNS) patterns.clear()
  patterns.set(cron, pattern)
  return pattern
}

function zoned({ text }: Pattern, zone: string): Cron {
  return new Cron(text, options(zone))
}

function options(timezone: string) {
  return { timezone, paused: true, mode: "5-part" } as const
}

function whyOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.replace(/^CronPattern: /, "").replace(/([^.])$/, "$1.")
}
