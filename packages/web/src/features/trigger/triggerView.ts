/** Labels of triggers, and the forms' drafts. Pure. */

import type { BodyInputOf, FiringView, HookView, NoticeView, ScheduleView } from "@parlor/protocol"
import { t } from "../../texts/en/trigger.ts"
import { momentText, weekdayText } from "../../texts/format.ts"
import { whenWords } from "./whenWords.ts"

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
  const next =
    state === "active" && nextAt !== null
      ? t(isElsewhere(one.when) ? "nextYourTime" : "next", { time: momentText(nextAt), until: untilWords(nextAt) })
      : t(states[state])
  const what = `${one.agent}, ${whenWords(one.when)}`
  return {
    kind: "schedule",
    id,
    title: one.name || textOf(one.payload),
    what: one.source === "self" ? t("setByAgent", { what }) : what,
    state: why === null ? next : `${next}: ${why.detail}`,
    paused: state === "paused",
    isOver: state === "done",
    isDeclared: one.declared,
    last,
  }
}

/** Its times are those of another time zone. */
function isElsewhere(when: ScheduleView["when"]): boolean {
  return "timeZone" in when && when.timeZone !== Intl.DateTimeFormat().resolvedOptions().timeZone
}

const states = { active: "active", paused: "paused", done: "over" } as const

/** The time until then, in the largest fitting unit. */
export function untilWords(at: number, now: number = Date.now()): string {
  const minutes = Math.round((at - now) / 60_000)
  if (minutes < 1) return t("anyMoment")
  if (minutes < 90) return t("inMinutes", { minutes })
  const hours = Math.round(minutes / 60)
  return hours < 48 ? t("inHours", { hours }) : t("inDays", { count: Math.round(hours / 24) })
}

export function hookItem(one: HookView): Item {
  const { id, state, last, template, type } = one
  const signed = one.style === "github" ? t("githubSignature") : "Standard Webhooks"
  return {
    kind: "hook",
    id,
    title: one.name || (template ?? t("messagesOfType", { type: type ?? "" })),
    what: `${one.agent}, ${signed}, ${one.url}`,
    state: t(states[state]),
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
    what: t("eventsTo", { events: one.events.join(", "), url: one.url }),
    state: why === null ? t(states[state]) : `${t(states[state])}: ${why.detail}`,
    paused: state === "paused",
    isOver: false,
    isDeclared: one.declared,
    last,
  }
}

export const repeats = ["weekdays", "days", "weeks", "months"] as const
export const scheduleKinds = [...repeats, "at", "every", "cron"] as const

export type ScheduleDraft = {
  readonly text: string
  readonly kind: (typeof scheduleKinds)[number]
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
  if (text.trim() === "") return { wrong: t("enterMessage") }
  const repeated = cronOf(draft)
  if (repeated === null) return { wrong: t("chooseTimeOfDay") }
  if (repeated !== undefined) return { body: { agent, text, missed, when: { cron: repeated, timeZone } } }
  if (draft.kind === "cron") return { body: { agent, text, missed, when: { cron: draft.cron, timeZone } } }
  if (draft.kind === "every") {
    const minutes = Number(draft.every)
    if (!Number.isFinite(minutes) || minutes <= 0) return { wrong: t("enterMinutes") }
    return { body: { agent, text, missed, when: { everyMs: Math.round(minutes * 60_000) } } }
  }
  const at = new Date(draft.at).getTime()
  return Number.isNaN(at) ? { wrong: t("chooseTime") } : { body: { agent, text, missed, when: { at } } }
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
  if (kind === "weekdays") return t("weekdaysAt", { time })
  if (kind === "days") return t("daysAt", { time })
  if (kind === "weeks") return t("weeksAt", { weekday: weekdayText(Number(weekday)), time })
  if (kind === "months") return t("monthsAt", { day, time })
  return ""
}

/** 0 is Sunday. */
export const weekdays = [0, 1, 2, 3, 4, 5, 6] as const

function textOf(payload: ScheduleView["payload"]): string {
  const { source } = (payload ?? {}) as { readonly source?: unknown }
  return typeof source === "string" ? source : JSON.stringify(payload)
}
