/**
 * An agent asks to be woken (TRG-4). Limited in how far ahead, how many, how long a chain of them gets, and how often
 * they fire (TRG-8): beyond the chain's limit a wakeup is stored but paused, and the person is notified.
 *
 * A wakeup's id is derived from the turn and the call that requested it: repeating the request after a crash finds it.
 */
import {
  COMPOSER_INPUT,
  limits,
  type Millis,
  parseRow,
  Refusal,
  type StreamId,
  type TurnRow,
  unreachable,
  type When,
  when as whenSchema,
} from "@parlor/protocol"
import { z } from "zod"
import type { Wakeup, WakeupAccess, WakeupRequest } from "../agent/wakeup-access.ts"
import type { Owner } from "../log/owner.ts"
import { checkBytes } from "../quota/quota.ts"
import { pausedFor } from "./runaway.ts"
import { moved, type Schedule, scheduleOf, scheduleRecord } from "./schedule.ts"
import type { ScheduleAccess } from "./schedule-access.ts"
import { checkWhen } from "./when.ts"

const SOONEST_MS = 1_000
/** Sources of messages that an agent caused. */
const CHAINED: readonly string[] = ["self", "agent", "observation"]
const WHICH = `Provide one of: delayMs (at least ${SOONEST_MS}), at (a time with its offset), cron with timeZone.`

const [at, , cron] = whenSchema.options
/** As a tool or a handler passes it. */
const wakeupInput = z.strictObject({
  when: z.union([z.strictObject({ delayMs: z.number().int().min(SOONEST_MS) }), at, cron]),
  prompt: z.string().min(1).max(limits.wakeupPromptLength),
  reason: z.string().max(limits.wakeupReasonLength).default(""),
})

export type Asking = {
  readonly owner: Pick<Owner, "stream" | "address">
  readonly turn: Pick<TurnRow, "id" | "message">
}

/** `call`: distinguishes one request of the turn from another. */
export function wakeupsOf(node: ScheduleAccess, asking: Asking, call: () => string): WakeupAccess {
  const { stream } = asking.owner
  return {
    request: (wakeup) => requestWakeup(node, asking, wakeup, call()),
    cancel: (id) => cancelWakeup(node, stream, id),
    list: async () => (await toCome(node, stream)).map(shown),
  }
}

export async function requestWakeup(
  node: ScheduleAccess,
  { owner, turn }: Asking,
  asked: WakeupRequest,
  call: string,
): Promise<Wakeup> {
  const { horizonMs, most, depth: deepest } = node.settings.triggers.wakeups
  const { agent, person, branch } = owner.address
  const now = node.clock.now()
  const { when, prompt, reason } = fitting(asked, now)
  await checkBytes(node, person, prompt.length)
  const depth = (await depthOf(node, owner.stream, turn.message)) + 1
  const made: Schedule = {
    id: `wake_${turn.id.replace(/^trn_/, "")}.${call}`.slice(0, limits.nameLength),
    kind: "wakeup",
    person,
    stream: owner.stream,
    agent,
    branch,
    name: reason,
    when,
    from: now,
    missed: "once",
    type: COMPOSER_INPUT,
    payload: { source: prompt },
    depth,
    until: now + horizonMs,
    state: "active",
    why: null,
    untold: false,
    resumedAt: null,
    nextAt: null,
    againAt: null,
    version: 1,
    createdAt: now,
  }
  const timed = { ...made, ...moved(made, now) }
  if (timed.nextAt === null)
    throw new Refusal("wakeup.invalid", `A wakeup can be at most ${days(horizonMs)} ahead.`, "/when")
  const isTooDeep = depth > deepest
  const why = `${agent} woke itself ${deepest} times in a row without you.`
  const wakeup = isTooDeep ? { ...timed, ...pausedFor(why, now) } : timed
  const added = await node.store.triggers.add(scheduleRecord(wakeup), { per: "stream", most })
  switch (added) {
    case "added":
      node.alarm.at(wakeup.state === "paused" ? now : timed.nextAt)
      return shown(wakeup)
    case "known":
      return shown(await known(node, wakeup))
    case "full":
      throw new Refusal("wakeup.full", `There are already ${most} pending wakeups. Cancel one first.`)
    case "gone":
      throw new Refusal("conversation.unknown", "The conversation was deleted.")
    default:
      return unreachable(added)
  }
}

export async function cancelWakeup(node: ScheduleAccess, stream: StreamId, id: string): Promise<boolean> {
  const found = (await toCome(node, stream)).find((one) => one.id === id)
  return found === undefined ? false : node.store.triggers.delete(id)
}

async function toCome(node: ScheduleAccess, stream: StreamId): Promise<readonly Schedule[]> {
  const wakeups = (await node.store.triggers.on(stream, "wakeup")).map(scheduleOf)
  return wakeups.filter(({ state }) => state !== "done")
}

function fitting(asked: WakeupRequest, now: Millis): { when: When; prompt: string; reason: string } {
  const parsed = wakeupInput.safeParse(asked)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const where = (issue?.path ?? []).map((step) => `/${String(step)}`).join("")
    const why = issue?.code === "invalid_union" ? WHICH : issue?.message
    throw new Refusal("wakeup.invalid", why ?? "This is not a valid wakeup.", where)
  }
  const { when, prompt, reason } = parsed.data
  const timed: When = "delayMs" in when ? { at: now + when.delayMs } : when
  checkWhen(timed, now)
  return { when: timed, prompt, reason }
}

/** A person's message ends a chain, and so does any other trigger but another agent's. */
async function depthOf(node: ScheduleAccess, stream: StreamId, message: string): Promise<number> {
  const row = (await node.store.log.read(stream, [{ collection: "messages", key: message }]))?.lists[0]?.[0]
  const trigger = row && parseRow("messages", row.value).trigger
  return trigger !== null && trigger !== undefined && CHAINED.includes(trigger.source) ? (trigger.depth ?? 0) : 0
}

async function known(node: ScheduleAccess, made: Schedule): Promise<Schedule> {
  const record = await node.store.triggers.get(made.id)
  return record === undefined ? made : scheduleOf(record)
}

function shown({ id, nextAt, payload, name, state, why }: Schedule): Wakeup {
  const { source } = payload as { readonly source: string }
  return {
    id,
    at: nextAt,
    prompt: source,
    reason: name,
    paused: state === "paused" ? (why?.detail ?? "Paused.") : null,
  }
}

function days(ms: number): string {
  const count = Math.round(ms / (24 * 60 * 60_000))
  return count === 1 ? "a day" : `${count} days`
}
