/** Schedules: when they fire, which message they send, and their routes (TRG-3, TRG-7). */
import { z } from "zod"
import { COMPOSER_INPUT } from "../constants.ts"
import { jsonValue } from "../json-value.ts"
import { limits } from "../limits.ts"
import { agentName, branchName } from "../names.ts"
import { declaredType, sent } from "../requests.ts"
import { problemNote } from "../rows/fields.ts"
import { composerInput } from "../rows/message.ts"
import { wellFormedText } from "../text.ts"
import { declared, firingView, triggerParams } from "./firing.ts"
import { type DescribedRoute, ok } from "./route.ts"

/** An IANA time zone name. An offset is not accepted: it does not follow daylight saving time. */
export const timeZone = z
  .string()
  .max(limits.timeZoneLength)
  .refine(isTimeZone, "Unknown time zone. Use an IANA name such as Europe/Berlin.")

const instant = z
  .union([z.number().int().nonnegative().max(limits.latestMillis), z.iso.datetime({ offset: true })])
  .transform((at) => (typeof at === "number" ? at : Date.parse(at)))

/** Once, at an interval, or by a cron pattern in a time zone. */
export const when = z.union([
  z.strictObject({ at: instant }),
  z.strictObject({ everyMs: z.number().int().min(limits.scheduleEveryMs).max(limits.scheduleEveryMsMost) }),
  z.strictObject({ cron: z.string().max(limits.cronLength), timeZone: timeZone.default("UTC") }),
])
export type When = z.output<typeof when>

export const missedRule = z.enum(["skip", "once", "all"])
export type MissedRule = z.infer<typeof missedRule>

const name = wellFormedText.max(limits.triggerNameLength)
const text = wellFormedText.min(1, "The message is empty.")
const options = {
  agent: agentName,
  branch: branchName.default("main"),
  when,
  missed: missedRule.default("once"),
  name: name.default(""),
}
export const scheduleBody = z.union([
  z.strictObject({ text, ...options }),
  z.strictObject({ type: z.literal(COMPOSER_INPUT), payload: composerInput, ...options }),
  z.strictObject({ type: declaredType, payload: jsonValue, ...options }),
])
const scheduleChange = z.strictObject({
  paused: z.boolean().optional(),
  when: when.optional(),
  missed: missedRule.optional(),
  name: name.optional(),
  text: text.optional(),
  /** Must match the schedule's message type. */
  payload: jsonValue.optional(),
})
export type ScheduleChange = z.output<typeof scheduleChange>

const scheduleView = z.object({
  id: z.string(),
  /** `self`: the agent scheduled its own wakeup (TRG-4). */
  source: z.enum(["schedule", "self"]),
  agent: z.string(),
  branch: z.string(),
  name: z.string(),
  when: z.union([
    z.object({ at: z.number() }),
    z.object({ everyMs: z.number() }),
    z.object({ cron: z.string(), timeZone: z.string() }),
  ]),
  missed: missedRule,
  type: z.string(),
  payload: jsonValue,
  state: z.enum(["active", "paused", "done"]),
  /** Why Parlor paused or ended it. */
  why: problemNote.nullable(),
  nextAt: z.number().nullable(),
  declared,
  createdAt: z.number(),
  last: firingView.nullable(),
})
export type ScheduleView = z.infer<typeof scheduleView>

export const scheduleRoutes = {
  listSchedules: {
    needs: "read",
    summary: "The caller's schedules and their agents' wakeups, each with its latest firing",
    query: z.object({ agent: agentName.optional(), branch: branchName.optional() }),
    answer: ok(z.object({ schedules: z.array(scheduleView) })),
  },
  makeSchedule: {
    needs: "write",
    summary: "Creates a schedule: once, at an interval, or by a cron pattern",
    body: scheduleBody,
    answer: { status: 201, schema: scheduleView },
  },
  openSchedule: {
    needs: "read",
    summary: "One schedule with its latest firings and their outcomes",
    params: triggerParams,
    answer: ok(scheduleView.extend({ firings: z.array(firingView) })),
  },
  changeSchedule: {
    needs: "write",
    summary: "Pauses, resumes or edits a schedule",
    params: triggerParams,
    body: scheduleChange,
    answer: ok(scheduleView),
  },
  deleteSchedule: {
    needs: "write",
    summary: "Deletes a schedule",
    params: triggerParams,
    answer: { status: 204 },
  },
  fireSchedule: {
    needs: "write",
    repeats: "own",
    summary: "Fires a schedule once now, in addition to its own times",
    params: triggerParams,
    answer: { status: 202, schema: sent },
  },
} as const satisfies Record<string, DescribedRoute>

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat("en", { timeZone: name })
    return true
  } catch {
    return false
  }
}
