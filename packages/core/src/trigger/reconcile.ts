/**
 * Makes the stored triggers equal to those that the config declares, by name (TRG-11, TRG-13).
 *
 *   declared, not stored ──▶ created          stored as declared, no longer in the config ──▶ deleted
 *   declared and stored ─┬─ the same ──▶ left
 *                        ├─ other content ──▶ changed; whether it is paused stays
 *                        └─ another person or conversation ──▶ replaced
 *
 * Every node does this with every load. The ids are the same on all of them, each change is a compare-and-set, and a
 * trigger that is already as declared is not written: so it does not matter how many nodes do it, or how often. Triggers
 * that people created are not looked at. One that cannot be created is reported, and the others are still made.
 */
import { Fault, Refusal, type TxId } from "@parlor/protocol"
import { reasonFields } from "../ports/log.ts"
import type { TriggerRecord } from "../ports/triggers.ts"
import { moved, type Schedule, scheduleOf, scheduleRecord, changed as withSchedule } from "../schedule/schedule.ts"
import { checkWhen } from "../schedule/when.ts"
import { DECLARED_PREFIX, type DeclaredKind, declaredId } from "./declared.ts"
import type { DeclaredTriggers } from "./declared-triggers.ts"
import { type Hook, hookOf, hookRecord } from "./hook.ts"
import { makeHook, rotated } from "./hooks.ts"
import { type Notice, noticeOf, noticeRecord, changed as withNotice } from "./notice.ts"
import { makeNotice } from "./notices.ts"
import { makeSchedule } from "./schedules.ts"
import { openSecret, sealSecret } from "./secret.ts"
import type { TriggerAccess } from "./trigger-access.ts"

const SLICE = 100
const TRIES = 10

export type Reconciled = { created: number; changed: number; removed: number; failed: number }

/** One declared trigger, and how it compares with the stored one. */
type Declaration = {
  readonly kind: DeclaredKind
  readonly name: string
  create(txid: TxId): Promise<unknown>
  /** `same`: nothing to do. `other`: it belongs to another person or conversation. */
  compare(stored: TriggerRecord): TriggerRecord | "same" | "other"
  /** Whether it would do nothing, so that it is not created. */
  readonly isOver?: boolean
}

export async function reconcileTriggers(node: TriggerAccess, declared: DeclaredTriggers): Promise<Reconciled> {
  const { schedules, hooks, notices } = declared
  const owned = await linkedTo(node, [...schedules, ...hooks, ...notices])
  const all = [
    ...schedules.map((one) => scheduleDeclaration(node, owned(one))),
    ...hooks.map((one) => hookDeclaration(node, owned(one))),
    ...notices.map((one) => noticeDeclaration(node, owned(one))),
  ]
  const done: Reconciled = { created: 0, changed: 0, removed: await removeOthers(node, all), failed: 0 }
  for (const one of all) {
    const outcome = await reconcileOne(node, one).catch((error: unknown) => reportFailed(node, one, error))
    if (outcome !== "same") done[outcome] += 1
  }
  return done
}

/** The config may use a linked name: the trigger belongs to its person (ADR-4). */
async function linkedTo(
  { store }: TriggerAccess,
  all: readonly { readonly person: string }[],
): Promise<<T extends { readonly person: string }>(one: T) => T> {
  const links = await store.links.named([...new Set(all.map(({ person }) => person))])
  const people = new Map(links.map(({ name, person }) => [name, person]))
  return (one) => ({ ...one, person: people.get(one.person) ?? one.person })
}

async function reconcileOne(node: TriggerAccess, one: Declaration): Promise<"created" | "changed" | "same"> {
  const id = declaredId(one.kind, one.name)
  for (let tries = 0; tries < TRIES; tries++) {
    const stored = await node.store.triggers.get(id)
    if (stored === undefined) {
      if (one.isOver === true) return "same"
      if (await isCreated(node, one)) return "created"
      continue
    }
    const next = one.compare(stored)
    if (next === "same") return "same"
    if (next === "other") await node.store.triggers.delete(id)
    else if (await node.store.triggers.change(next, [], { erase: one.kind !== "schedule" }))
      return announced(node, next)
  }
  throw new Refusal("trigger.changed", "It was changed at the same moment too often.")
}

/** False if another node created it first. */
async function isCreated(node: TriggerAccess, one: Declaration): Promise<boolean> {
  try {
    await one.create(node.ids.next("tx") as TxId)
    return true
  } catch (error) {
    if (error instanceof Refusal && error.code === "trigger.changed") return false
    throw error
  }
}

function announced(node: TriggerAccess, { kind, person, lookAt }: TriggerRecord): "changed" {
  if (kind === "notice") node.tell(person, { isNew: true })
  else if (lookAt !== null) node.alarm.at(lookAt)
  return "changed"
}

function reportFailed(node: TriggerAccess, { kind, name }: Declaration, error: unknown): "failed" {
  // The store is down: whoever called tries all of them again.
  if (error instanceof Fault) throw error
  node.log.error("a declared trigger could not be set up", { trigger: `${kind} ${name}`, ...reasonFields(error) })
  return "failed"
}

async function removeOthers(node: TriggerAccess, all: readonly Declaration[]): Promise<number> {
  const kept = new Set(all.map(({ kind, name }) => declaredId(kind, name)))
  let removed = 0
  for (const kind of Object.keys(DECLARED_PREFIX) as DeclaredKind[])
    for (const { id, person } of await declaredOf(node, kind)) {
      if (kept.has(id)) continue
      const audit = { at: node.clock.now(), person, act: `${kind}.deleted`, subject: id }
      if (await node.store.triggers.delete(id, audit)) removed += 1
    }
  return removed
}

async function declaredOf(node: TriggerAccess, kind: DeclaredKind): Promise<readonly TriggerRecord[]> {
  const prefix = DECLARED_PREFIX[kind]
  const found: TriggerRecord[] = []
  for (let after: string = prefix; ; ) {
    const page = await node.store.triggers.byId([kind], { after, limit: SLICE })
    found.push(...page.filter(({ id }) => id.startsWith(prefix)))
    const last = page.at(-1)
    if (last === undefined || page.length < SLICE || !last.id.startsWith(prefix)) return found
    after = last.id
  }
}

function scheduleDeclaration(node: TriggerAccess, one: DeclaredTriggers["schedules"][number]): Declaration {
  const { person, ...asked } = one
  const content = (of: typeof asked) => JSON.stringify([of.when, of.missed, of.type, of.payload])
  return {
    kind: "schedule",
    name: one.name,
    isOver: "at" in one.when && one.when.at <= node.clock.now(),
    create: (txid) => makeSchedule(node, person, asked, { txid, declaredAs: declaredId("schedule", one.name) }),
    compare(stored) {
      const before = scheduleOf(stored)
      if (isElsewhere(before, one)) return "other"
      if (content(before) === content(asked)) return "same"
      const now = node.clock.now()
      const isRetimed = JSON.stringify(before.when) !== JSON.stringify(one.when)
      if (isRetimed) checkWhen(one.when, now)
      const timed: Schedule = { ...before, ...asked, ...(isRetimed ? { from: now } : {}) }
      return scheduleRecord(withSchedule(timed, isRetimed ? { ...restarted(before), ...moved(timed, now) } : {}))
    },
  }
}

/** One that had ended starts again with its new times. */
function restarted({ state }: Schedule): Partial<Schedule> {
  return state === "done" ? { state: "active", why: null } : {}
}

function hookDeclaration(node: TriggerAccess, one: DeclaredTriggers["hooks"][number]): Declaration {
  const { person, secret, ...asked } = one
  const id = declaredId("hook", one.name)
  const content = (of: typeof asked) => JSON.stringify([of.style, of.template, of.type, of.perMinute])
  return {
    kind: "hook",
    name: one.name,
    create: (txid) => makeHook(node, person, asked, { id, secret, txid, isDeclared: true }),
    compare(stored) {
      const before = hookOf(stored)
      if (isElsewhere(before, one)) return "other"
      const [current] = before.secrets
      const isSigned = current !== undefined && openSecret(node, id, current.secret) === secret
      if (isSigned && content(before) === content(asked)) return "same"
      const secrets = isSigned ? before.secrets : rotated(node, before, secret)
      const next: Hook = { ...before, ...asked, secrets, version: before.version + 1 }
      return hookRecord(next)
    },
  }
}

function noticeDeclaration(node: TriggerAccess, one: DeclaredTriggers["notices"][number]): Declaration {
  const { person, secret, ...asked } = one
  const id = declaredId("notice", one.name)
  const content = (of: typeof asked) => JSON.stringify([of.url, [...new Set(of.events)], of.agent])
  return {
    kind: "notice",
    name: one.name,
    create: () => makeNotice(node, person, asked, { id, secret, isDeclared: true }),
    compare(stored) {
      const before = noticeOf(stored)
      if (before.person !== person) return "other"
      const isSigned = openSecret(node, id, before.secret) === secret
      if (isSigned && content(before) === content(asked)) return "same"
      const sealed = isSigned ? before.secret : sealSecret(node, id, secret)
      const next = { ...before, ...asked, events: [...new Set(asked.events)], secret: sealed }
      return noticeRecord(withNotice(next, before.url === one.url ? {} : afresh(before)))
    },
  }
}

/** The earlier failures were another URL's. A person's own pause stays. */
function afresh({ state, why }: Notice): Partial<Notice> {
  return { tries: 0, retryAt: null, why: null, state: why === null ? state : "active" }
}

type Place = { readonly person: string; readonly agent: string; readonly branch: string }

function isElsewhere(stored: Place, { person, agent, branch }: Place): boolean {
  return stored.person !== person || stored.agent !== agent || stored.branch !== branch
}
