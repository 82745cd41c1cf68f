/**
 * Fires what is due, once, however many processes check (TRG-3).
 *
 *   due ──late, rule `skip`──────────▶ missed ─┐
 *    ├──late, rule `all`, too many──▶ the oldest missed ─┤
 *    ├──one of its own waits────────▶ left out; with `all`, tried again later ─┤
 *    ├──cannot be sent──────────────▶ failed ─┤
 *    ├──its person has no room──────▶ failed, and paused until they resume it ─┤
 *    └──sent─────────────────────────────────┴──▶ written down, and on to its next time
 *
 * The message is sent first, with an idempotency key made of the schedule and its due time, so that a repetition gets
 * the first answer. Then the schedule is advanced by compare-and-set, together with the firing. A process that dies in
 * between leaves a schedule that is still due: the next one sends again, gets the first answer, and advances it.
 */

import { Fault, type Millis, Refusal, type Sent, type Trigger, type TxId } from "@parlor/protocol"
import type { CommandAccess } from "../command/command-access.ts"
import { AlreadyQueued, type Send, send } from "../command/send.ts"
import { reasonFields } from "../ports/log.ts"
import type { TriggerRecord } from "../ports/triggers.ts"
import { isQuotaRefusal } from "../quota/quota.ts"
import { isRunaway, pauseWakeups, tellOfPause } from "../schedule/runaway.ts"
import { addressOf, CLOCKED, changed, moved, type Schedule, scheduleOf, scheduleRecord } from "../schedule/schedule.ts"
import { newestOf } from "../schedule/when.ts"
import { type Firing, firingRecord } from "./firing.ts"

const BATCH = 64
const AT_ONCE = 16
/** Limits one round; whatever is still due is handled by the next one. */
const ROUNDS = 50
/** Wait after a store failure. */
const FAULT_MS = 1_000

/** Fires what is due by now, and returns when the next is due. */
export async function fireDue(node: CommandAccess): Promise<Millis | undefined> {
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const due = await node.store.triggers.due(CLOCKED, node.clock.now(), { limit: BATCH })
      if (due.length === 0) return await node.store.triggers.nextLook(CLOCKED)
      if (!(await fireAll(node, due))) return node.clock.now() + FAULT_MS
    }
    return node.clock.now()
  } catch (error) {
    node.log.warn("could not read due triggers", reasonFields(error))
    return node.clock.now() + FAULT_MS
  }
}

/** A person fires it outside its schedule. */
export async function fireOnce(
  node: CommandAccess,
  schedule: Schedule,
  options: { readonly txid: TxId; readonly key?: string | undefined },
): Promise<Sent> {
  const now = node.clock.now()
  const id = `fire ${options.key ?? options.txid}`
  const message = messageOf(schedule, { id, now, txid: options.txid })
  const sent = await send(node, addressOf(schedule), message).catch((error) =>
    sentBefore(node, schedule, message, error),
  )
  await node.store.triggers.putFiring(firingRecord(schedule.id, { ...wentOut(sent), id, at: now, dueAt: null }))
  return sent
}

/** A repetition finds its own message queued, and gets the first answer. */
async function sentBefore(node: CommandAccess, schedule: Schedule, message: Send, error: unknown): Promise<Sent> {
  if (!(error instanceof AlreadyQueued)) throw error
  const { unlessQueued: _, ...repeat } = message
  if (error.row.trigger?.deliveryId === message.trigger?.deliveryId) return send(node, addressOf(schedule), repeat)
  throw new Refusal("schedule.waiting", `The message ${error.row.id} of this schedule is already queued.`)
}

/** False if none of them could be handled. */
async function fireAll(node: CommandAccess, due: readonly TriggerRecord[]): Promise<boolean> {
  let isAny = false
  for (let from = 0; from < due.length; from += AT_ONCE) {
    const some = due.slice(from, from + AT_ONCE).map((record) => tryFire(node, record))
    for (const isDone of await Promise.all(some)) isAny ||= isDone
  }
  return isAny
}

async function tryFire(node: CommandAccess, record: TriggerRecord): Promise<boolean> {
  try {
    await look(node, scheduleOf(record))
    return true
  } catch (error) {
    if (error instanceof Fault) node.log.warn("a firing has to wait", { trigger: record.id, ...reasonFields(error) })
    else node.log.error("a firing failed", { trigger: record.id, reason: String(error) })
    return false
  }
}

async function look(node: CommandAccess, schedule: Schedule): Promise<void> {
  const now = node.clock.now()
  if (schedule.state !== "active" || schedule.nextAt === null) return tellOfPause(node, schedule)
  const due = schedule.nextAt
  const { lateMs, catchUp } = node.settings.triggers
  if (now - due > lateMs && schedule.missed === "skip") return skipTo(node, schedule, moved(schedule, now - lateMs - 1))
  if (now - due > lateMs && schedule.missed === "all") {
    const first = newestOf(schedule, due, now, catchUp)
    if (first > due) return skipTo(node, schedule, { nextAt: first })
  }
  if (schedule.kind === "wakeup" && (await isRunaway(node, schedule, now)))
    return pauseWakeups(node, schedule, `It woke itself ${node.settings.triggers.wakeups.perHour} times in an hour.`)
  const firing = await fire(node, schedule, due, now)
  if (firing.outcome === "waiting" && schedule.missed === "all") return waitFor(node, schedule)
  if (firing.error !== null && isQuotaRefusal(firing.error.code))
    return write(node, changed(schedule, { state: "paused", why: firing.error, untold: false }), firing)
  await write(node, changed(schedule, moved(schedule, schedule.missed === "all" ? due : now)), firing)
}

async function fire(node: CommandAccess, schedule: Schedule, due: Millis, now: Millis): Promise<Firing> {
  const id = new Date(due).toISOString()
  const about = { id, at: now, dueAt: due }
  try {
    const txid = node.ids.next("fire") as TxId
    return { ...about, ...wentOut(await send(node, addressOf(schedule), messageOf(schedule, { id, now, txid }))) }
  } catch (error) {
    if (error instanceof AlreadyQueued) {
      const { row } = error
      const isOurs = row.trigger?.deliveryId === id
      return { ...about, outcome: isOurs ? "queued" : "waiting", message: isOurs ? row.id : null, error: null }
    }
    if (!(error instanceof Refusal)) throw error
    return { ...about, outcome: "failed", message: null, error: { code: error.code, detail: error.message } }
  }
}

function messageOf(
  { id: scheduleId, kind, stream, type, payload, depth }: Schedule,
  { id, now, txid }: { readonly id: string; readonly now: Millis; readonly txid: TxId },
): Send {
  const source = kind === "wakeup" ? "self" : "schedule"
  const none = { headers: null, subject: null }
  const chain = depth === null ? {} : { depth }
  const trigger: Trigger = { source, firedAt: now, scheduleId, deliveryId: id, ...none, ...chain }
  // Not the text: it may be edited between two attempts of the same firing.
  const key = { key: `schedule\n${scheduleId}\n${id}`, hash: scheduleId }
  return { type, payload, mode: "immediate", source, trigger, txid, key, stream, unlessQueued: scheduleId }
}

function wentOut({ message, outcome }: Sent): Pick<Firing, "outcome" | "message" | "error"> {
  return { outcome: outcome === "started" ? "started" : "queued", message, error: null }
}

async function skipTo(node: CommandAccess, schedule: Schedule, to: Partial<Schedule>): Promise<void> {
  const due = schedule.nextAt ?? 0
  const about = { id: new Date(due).toISOString(), at: node.clock.now(), dueAt: due }
  await write(node, changed(schedule, to), { ...about, outcome: "missed", message: null, error: null })
}

async function waitFor(node: CommandAccess, schedule: Schedule): Promise<void> {
  const againAt = node.clock.now() + node.settings.triggers.againMs
  await node.store.triggers.change(scheduleRecord(changed(schedule, { againAt })))
}

/** If another process was first, it has written the same. */
async function write(node: CommandAccess, schedule: Schedule, firing: Firing): Promise<void> {
  await node.store.triggers.change(scheduleRecord(schedule), [firingRecord(schedule.id, firing)])
}
