/** Labels of triggers, and the forms' drafts. Pure. */

import type { BodyInputOf, FiringView, HookView, NoticeView, ScheduleView } from "@parlor/protocol"
import { spokenTime, spokenWhen } from "@parlor/protocol"

export type TriggerKind = "schedule" | "hook" | "notice"

export type Item = {
  readonly kind: TriggerKind
  readonly id: string
  readonly title: string
  /** When it runs, how it is signed, or which events it sends. */
  readonly what: string
  readonly state: string
  readonly paused: boolean
  /** It is done, so it can't be paused or fired. */
  readonly isOver: boolean
  /** It is declared in the config, so it can't be deleted here. */
  readonly isDeclared: boolean
  readonly last: FiringView | null
}

export function scheduleItem(one: ScheduleView): Item {
  const { id, state, why, nextAt, last } = one
  const next = state === "active" && nextAt !== null ? `next ${spokenTime(nextAt)}, ${untilWords(nextAt)}` : state
  return {
    kind: "schedule",
    id,
    title: one.name || textOf(one.payload),
    what: `${one.agent}, ${spokenWhen(one.when)}${one.source === "self" ? ", set by the agent" : ""}`,
    state: why === null ? next : `${next}: ${why.detail}`,
    paused: state === "paused",
    isOver: state === "done",
    isDeclared: one.declared,
    last,
  }
}

/** The time until then, in the largest fitting unit. */
export function untilWords(at: number, now: number = Date.now()): string {
  const minutes = Math.round((at - now) / 60_000)
  if (minutes < 1) return "any moment"
  if (minutes < 90) return `in ${minutes} min`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `in ${hours} h` : `in ${Math.round(hours / 24)} days`
}

export function hookItem(one: HookView): Item {
  const { id, state, last, template, type } = one
  const signed = one.style === "github" ? "GitHub signature" : "Standard Webhooks"
  return {
    kind: "hook",
    id,
    title: one.name || (template ?? `Messages of type ${type}`),
    what: `${one.agent}, ${signed}, ${one.url}`,
    state,
    paused: state === "paused",
    isOver: false,
    isDeclared: one.declared,
    last,
  }
}

export function noticeItem(one: NoticeView): Item {
  const { id, state, why, last } = one
  return {
    kind: "notice",
    id,
    title: one.name || one.url,
    what: `${one.events.join(", ")} to ${one.url}`,
    state: why === null ? state : `${state}: ${why.detail}`,
    paused: state === "paused",
    isOver: false,
    isDeclared: one.declared,
    last,
  }
}

export const repeats = ["weekdays", "days", "weeks", "months"] as const
type Repeat = (typeof repeats)[number]

export type ScheduleDraft = {
  readonly text: string
  readonly kind: Repeat | "at" | "every" | "cron"
  /** For days: the time of the day, such as 09:00. */
  readonly time: string
  /** For weeks: 0 is Sunday. */
  readonly weekday: string
  /** For months. */
  readonly day: string
  readonly at: string
  /** In minutes. */
  readonly every: string
  readonly cron: string
  readonly missed: "skip" | "once" | "all"
}

export const emptySchedule: ScheduleDraft = {
  text: "",
  kind: "weekdays",
  time: "09:00",
  weekday: "1",
  day: "1",
  at: "",
  every: "60",
  cron: "0 9 * * 1-5",
  missed: "once",
}

/** The problem with the draft, or the request body. */
export function scheduleOf(
  draft: ScheduleDraft,
  agent: string,
  timeZone: string,
): { readonly wrong: string } | { readonly body: BodyInputOf<"makeSchedule"> } {
  const { text, missed } = draft
  if (text.trim() === "") return { wrong: "Enter a message for the agent." }
  const repeated = cronOf(draft)
  if (repeated === null) return { wrong: "Choose a time of day." }
  if (repeated !== undefined) return { body: { agent, text, missed, when: { cron: repeated, timeZone } } }
  if (draft.kind === "cron") return { body: { agent, text, missed, when: { cron: draft.cron, timeZone } } }
  if (draft.kind === "every") {
    const minutes = Number(draft.every)
    if (!Number.isFinite(minutes) || minutes <= 0) return { wrong: "Enter the number of minutes." }
    return { body: { agent, text, missed, when: { everyMs: Math.round(minutes * 60_000) } } }
  }
  const at = new Date(draft.at).getTime()
  return Number.isNaN(at) ? { wrong: "Choose a time." } : { body: { agent, text, missed, when: { at } } }
}

/** Null if its time is missing; undefined if it does not repeat by days. */
function cronOf({ kind, time, weekday, day }: ScheduleDraft): string | null | undefined {
  if (!repeats.some((one) => one === kind)) return undefined
  const [, hour, minute] = /^(\d{1,2}):(\d{2})/.exec(time) ?? []
  if (hour === undefined || minute === undefined) return null
  const at = `${Number(minute)} ${Number(hour)}`
  if (kind === "weekdays") return `${at} * * 1-5`
  if (kind === "weeks") return `${at} * * ${weekday}`
  return kind === "months" ? `${at} ${day} * *` : `${at} * * *`
}

/** The schedule as a sentence, such as: Every weekday at 09:00, your time. */
export function repeatWords({ kind, time, weekday, day }: ScheduleDraft): string {
  if (kind === "weekdays") return `Every weekday at ${time}, your time`
  if (kind === "days") return `Every day at ${time}, your time`
  if (kind === "weeks") return `Every ${weekdays[Number(weekday)] ?? ""} at ${time}, your time`
  if (kind === "months") return `On day ${day} of every month at ${time}, your time`
  return ""
}

export const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const

function textOf(payload: ScheduleView["payload"]): string {
  const { source } = (payload ?? {}) as { readonly source?: unknown }
  return typeof source === "string" ? source : JSON.stringify(payload)
}
