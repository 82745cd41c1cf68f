/**
 * An agent that keeps waking itself is paused, and the person is notified (TRG-8).
 *
 * All wakeups of the conversation are paused. The person is notified in the conversation itself as soon as it is idle;
 * until then the schedule is marked as untold and checked again.
 */

import { type MessageId, type Millis, newMessage, type StatusRow, type TxId } from "@parlor/protocol"
import { type Decision, decide } from "../log/decide.ts"
import { type ConversationState, isBusy, statusChange } from "../log/state.ts"
import { changed, type Schedule, scheduleOf, scheduleRecord } from "./schedule.ts"
import type { ScheduleAccess } from "./schedule-access.ts"

const HOUR_MS = 60 * 60_000
const RUNAWAY = "wakeup.runaway"

/** Counts the wakeups in the last hour, or since a person resumed them. */
export async function isRunaway(node: ScheduleAccess, { stream, resumedAt }: Schedule, now: Millis): Promise<boolean> {
  const since = Math.max(now - HOUR_MS, resumedAt ?? 0)
  return (await node.store.triggers.countSent(stream, "wakeup", since)) >= node.settings.triggers.wakeups.perHour
}

/** The first one records why, and makes sure that the person is notified. */
export async function pauseWakeups(node: ScheduleAccess, first: Schedule, why: string): Promise<void> {
  node.log.warn("wakeups paused", { agent: first.agent, trigger: first.id })
  if (!(await node.store.triggers.change(scheduleRecord(changed(first, pausedFor(why, node.clock.now())))))) return
  for (const record of await node.store.triggers.on(first.stream, "wakeup")) {
    const other = scheduleOf(record)
    if (other.id === first.id || other.state !== "active") continue
    const paused = changed(other, { ...pausedFor(why, node.clock.now()), untold: false })
    await node.store.triggers.change(scheduleRecord(paused))
  }
}

export function pausedFor(why: string, now: Millis): Pick<Schedule, "state" | "why" | "untold" | "againAt"> {
  return { state: "paused", why: { code: RUNAWAY, detail: why }, untold: true, againAt: now }
}

/** Notifies the person in the conversation, once it is idle. */
export async function tellOfPause(node: ScheduleAccess, schedule: Schedule): Promise<void> {
  const isTold = schedule.untold && schedule.why !== null ? await tell(node, schedule, schedule.why.detail) : true
  const change = isTold
    ? { untold: false, againAt: null }
    : { againAt: node.clock.now() + node.settings.triggers.againMs }
  await node.store.triggers.change(scheduleRecord(changed(schedule, change)))
}

/** False if the conversation is busy. */
async function tell(node: ScheduleAccess, schedule: Schedule, why: string): Promise<boolean> {
  const id = node.ids.next("msg") as MessageId
  const text = `${why} Its wakeups are paused until you resume or delete them.`
  const decided = await decide(node, schedule.stream, (state) => told(node, state, id, text), {
    txid: node.ids.next("fire") as TxId,
    once: () => ({ key: `${RUNAWAY}\n${schedule.id}\n${schedule.version}`, hash: "", answer: "true" }),
  })
  return decided.repeated || decided.answer
}

function told(node: ScheduleAccess, state: ConversationState, id: MessageId, text: string): Decision<boolean> {
  if (isBusy(state.status)) return { answer: false, changes: [] }
  const now = node.clock.now()
  const row = newMessage({
    id,
    ord: state.lastOrd + 1,
    role: "agent",
    state: "done",
    parts: [{ type: "notice", code: RUNAWAY, text }],
    at: now,
  })
  const status: StatusRow = { ...state.status, unread: true, activityAt: now }
  return {
    answer: true,
    changes: [{ collection: "messages", key: id, operation: "insert", row }, statusChange(status)],
  }
}
