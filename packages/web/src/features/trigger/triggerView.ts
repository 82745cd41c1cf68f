/** Labels of triggers, and the forms' drafts. Pure. */
import { spokenTime, spokenWhen } from "@parlor/client"
import type { BodyInputOf, FiringView, HookView, NoticeView, ScheduleView } from "@parlor/protocol"

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
    what: `${one.agent}/${one.branch}, ${spokenWhen(one.when)}${one.source === "self" ? ", set by the agent" : ""}`,
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
    what: `${one.agent}/${one.branch}, ${signed}, ${one.url}`,
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

export type ScheduleDraft = {
  readonly text: string
  readonly kind: "at" | "every" | "cron"
  readonly at: string
  /** In minutes. */
  readonly every: string
  readonly cron: string
  readonly missed: "skip" | "once" | "all"
}

export const emptySchedule: ScheduleDraft = {
  text: "",
  kind: "cron",
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
  if (draft.kind === "cron") return { body: { agent, text, missed, when: { cron: draft.cron, timeZone } } }
  if (draft.kind === "every") {
    const minutes = Number(draft.every)
    if (!Number.isFinite(minutes) || minutes <= 0) return { wrong: "Enter the number of minutes." }
    return { body: { agent, text, missed, when: { everyMs: Math.round(minutes * 60_000) } } }
  }
  const at = new Date(draft.at).getTime()
  return Number.isNaN(at) ? { wrong: "Choose a time." } : { body: { agent, text, missed, when: { at } } }
}

function textOf(payload: ScheduleView["payload"]): string {
  const { source } = (payload ?? {}) as { readonly source?: unknown }
  return typeof source === "string" ? source : JSON.stringify(payload)
}
