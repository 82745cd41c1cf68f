/** Schedule management: create, list, pause, edit, fire once, delete (TRG-3, TRG-7). */

import {
  COMPOSER_INPUT,
  limits,
  type MissedRule,
  Refusal,
  type ScheduleChange,
  type ScheduleView,
  type Sent,
  type TxId,
  unreachable,
  type When,
} from "@parlor/protocol"
import type { CommandAccess } from "../command/command-access.ts"
import { checkMessage } from "../composer/check.ts"
import { conversationFor } from "../conversation/create.ts"
import type { Json } from "../ports/json.ts"
import { checkBytes } from "../quota/quota.ts"
import {
  addressOf,
  CLOCKED,
  changed,
  checkNotDone,
  moved,
  resumed,
  type Schedule,
  scheduleOf,
  scheduleRecord,
  scheduleView,
} from "../schedule/schedule.ts"
import { checkWhen } from "../schedule/when.ts"
import { checkNotDeclared } from "./declared.ts"
import { fireOnce } from "./fire.ts"
import { lastFirings, listFirings } from "./firing.ts"

/** How often a change is retried after a concurrent one. */
const CHANGE_TRIES = 10

export type NewSchedule = {
  readonly agent: string
  readonly branch: string
  readonly name: string
  readonly when: When
  readonly missed: MissedRule
  readonly type: string
  readonly payload: Json
}

export async function listSchedules(
  node: CommandAccess,
  person: string,
  wanted: { readonly agent?: string | undefined; readonly branch?: string | undefined } = {},
): Promise<readonly ScheduleView[]> {
  const all = (await node.store.triggers.of(person, CLOCKED)).map(scheduleOf)
  const { agent, branch } = wanted
  const schedules = all.filter(
    (one) => (agent === undefined || one.agent === agent) && (branch === undefined || one.branch === branch),
  )
  const last = await lastFirings(
    node.store,
    schedules.map(({ id }) => id),
  )
  return schedules.map((schedule) => scheduleView(schedule, last.get(schedule.id) ?? null))
}

export async function openSchedule(node: CommandAccess, person: string, id: string) {
  const schedule = await own(node, person, id)
  const firings = await listFirings(node.store, id, schedule.stream, limits.firings)
  return { ...scheduleView(schedule, firings[0] ?? null), firings }
}

export async function makeSchedule(
  node: CommandAccess,
  person: string,
  asked: NewSchedule,
  options: { readonly txid: TxId; readonly declaredAs?: string },
): Promise<ScheduleView> {
  const { agent, branch, when, type, payload } = asked
  const { declaredAs: id } = options
  const address = { agent, person, branch }
  const now = node.clock.now()
  await checkMessage(node, address, { type, payload })
  checkWhen(when, now)
  await checkBytes(node, person, JSON.stringify(payload).length)
  const stream = await conversationFor(node, address, options.txid)
  const made: Schedule = {
    ...asked,
    id: id ?? node.ids.next("sch"),
    ...(id === undefined ? {} : { declared: true }),
    kind: "schedule",
    person,
    stream: stream.id,
    from: now,
    depth: null,
    until: null,
    state: "active",
    why: null,
    untold: false,
    resumedAt: null,
    nextAt: null,
    againAt: null,
    version: 1,
    createdAt: now,
  }
  const schedule = { ...made, ...moved(made, now) }
  await add(node, schedule)
  return scheduleView(schedule, null)
}

export async function changeSchedule(
  node: CommandAccess,
  person: string,
  id: string,
  change: ScheduleChange,
): Promise<ScheduleView> {
  for (let tries = 0; tries < CHANGE_TRIES; tries++) {
    const schedule = await own(node, person, id)
    const now = await edited(node, schedule, change)
    if (!(await node.store.triggers.change(scheduleRecord(now)))) continue
    if (now.nextAt !== null) node.alarm.at(now.nextAt)
    return scheduleView(now, (await lastFirings(node.store, [id])).get(id) ?? null)
  }
  throw new Refusal("trigger.changed", "This schedule was changed at the same moment. Try again.")
}

export async function deleteSchedule(node: CommandAccess, person: string, id: string): Promise<void> {
  const schedule = await own(node, person, id)
  checkNotDeclared("schedule", schedule)
  const audit = { at: node.clock.now(), person, act: `${schedule.kind}.deleted`, subject: id }
  if (!(await node.store.triggers.delete(id, audit))) throw unknown(id)
}

/** Outside its schedule. `key`: the caller's idempotency key. */
export async function fireSchedule(
  node: CommandAccess,
  person: string,
  id: string,
  options: { readonly txid: TxId; readonly key?: string | undefined },
): Promise<Sent> {
  return fireOnce(node, await own(node, person, id), options)
}

async function add(node: CommandAccess, schedule: Schedule): Promise<void> {
  const { id, person } = schedule
  const audit = { at: schedule.createdAt, person, act: "schedule.made", subject: id }
  const most = node.settings.quota.schedules
  const bounds = { per: "person", most } as const
  const added = await node.store.triggers.add(scheduleRecord(schedule), bounds, audit)
  switch (added) {
    case "added":
    case "known":
      if (schedule.nextAt !== null) node.alarm.at(schedule.nextAt)
      return
    case "full":
      throw new Refusal("schedule.full", `You already have the maximum of ${most} schedules. Delete one first.`)
    case "gone":
      throw new Refusal("conversation.unknown", "The conversation was deleted.")
    default:
      return unreachable(added)
  }
}

async function edited(node: CommandAccess, schedule: Schedule, change: ScheduleChange): Promise<Schedule> {
  const { paused, when, missed, name } = change
  const now = node.clock.now()
  checkNotDone(schedule)
  if (Object.entries(change).some(([field, value]) => field !== "paused" && value !== undefined))
    checkNotDeclared("schedule", schedule)
  const input = await inputOf(node, schedule, change)
  const said = { ...input, ...(missed === undefined ? {} : { missed }), ...(name === undefined ? {} : { name }) }
  if (when !== undefined) checkWhen(when, now)
  // A person may set any times for a wakeup: its limits no longer apply.
  const set = when === undefined ? {} : { when, from: now, until: null }
  const timed = { ...schedule, ...set }
  const times = when === undefined ? {} : { ...set, ...moved(timed, now) }
  if (paused === undefined || paused === (schedule.state === "paused")) return changed(schedule, { ...said, ...times })
  const state = paused ? ({ state: "paused", why: null, untold: false } as const) : resumed({ ...timed, ...times }, now)
  return changed(schedule, { ...said, ...times, ...state })
}

async function inputOf(
  node: CommandAccess,
  schedule: Schedule,
  { text, payload }: ScheduleChange,
): Promise<Partial<Schedule>> {
  if (text === undefined && payload === undefined) return {}
  if (text !== undefined && payload !== undefined)
    throw new Refusal("request.invalid", "Provide `text` or `payload`, not both.", "/payload")
  if (text !== undefined && schedule.type !== COMPOSER_INPUT)
    throw new Refusal(
      "request.invalid",
      `This schedule sends messages of type "${schedule.type}". Provide a payload instead.`,
      "/text",
    )
  const input = { type: schedule.type, payload: text === undefined ? (payload as Json) : { source: text } }
  await checkMessage(node, addressOf(schedule), input)
  return input
}

async function own(node: CommandAccess, person: string, id: string): Promise<Schedule> {
  const record = await node.store.triggers.get(id)
  if (record === undefined || record.person !== person || !isClocked(record.kind)) throw unknown(id)
  return scheduleOf(record)
}

function isClocked(kind: string): boolean {
  return (CLOCKED as readonly string[]).includes(kind)
}

function unknown(id: string): Refusal {
  return new Refusal("schedule.unknown", `There is no schedule ${id}.`)
}
