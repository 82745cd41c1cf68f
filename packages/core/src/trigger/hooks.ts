/** Webhook management: create, list, pause, edit, rotate the secret, delete (TRG-5, TRG-7). */

import {
  type Address,
  type FiringView,
  type HookChange,
  type HookStyle,
  limits,
  Refusal,
  type TxId,
  unreachable,
} from "@parlor/protocol"
import { type Agents, agentOf } from "../agent/agent-of.ts"
import { conversationFor } from "../conversation/create.ts"
import type { LogAccess } from "../log/log-access.ts"
import { checkBytes } from "../quota/quota.ts"
import { checkNotDeclared } from "./declared.ts"
import { lastFirings, listFirings } from "./firing.ts"
import { goodSecrets, type Hook, hookOf, hookRecord, shortened } from "./hook.ts"
import { openSecret, sealSecret } from "./secret.ts"
import type { Sealing } from "./trigger-access.ts"

const CHANGE_TRIES = 10
/** How long the previous secret stays valid, so that senders can switch. */
const OVERLAP_MS = 24 * 60 * 60_000

export type NewHook = Pick<Hook, "agent" | "branch" | "name" | "template" | "type" | "perMinute"> & {
  readonly style: HookStyle
}

/** Created where there is good randomness. */
export type MadeSecret = { readonly id: string; readonly secret: string }

export async function listHooks(
  node: LogAccess & Agents,
  person: string,
): Promise<readonly { readonly hook: Hook; readonly last: FiringView | null }[]> {
  const hooks = (await node.store.triggers.of(person, ["hook"])).map(hookOf)
  const last = await lastFirings(
    node.store,
    hooks.map(({ id }) => id),
  )
  return hooks.map((hook) => ({ hook, last: last.get(hook.id) ?? null }))
}

export async function openHook(node: LogAccess & Agents, person: string, id: string) {
  const hook = await ownHook(node, person, id)
  return { hook, firings: await listFirings(node.store, id, hook.stream, limits.firings + limits.firingsRefused) }
}

export async function makeHook(
  node: LogAccess & Agents & Sealing,
  person: string,
  asked: NewHook,
  options: MadeSecret & { readonly txid: TxId; readonly isDeclared?: boolean },
): Promise<Hook> {
  const { agent, branch, type } = asked
  const address: Address = { agent, person, branch }
  checkType(node, agent, type)
  await checkBytes(node, person, asked.template?.length ?? 0)
  const { id: stream } = await conversationFor(node, address, options.txid)
  const now = node.clock.now()
  const secrets = [{ secret: sealSecret(node, options.id, options.secret), until: null }]
  const begun = { state: "active", secrets, version: 1, createdAt: now } as const
  const declared = options.isDeclared === true ? { declared: true } : {}
  const hook: Hook = { ...asked, id: options.id, person, stream, ...begun, ...declared }
  const audit = { at: now, person, act: "hook.made", subject: shortened(hook.id) }
  const most = node.settings.quota.hooks
  const added = await node.store.triggers.add(hookRecord(hook), { per: "person", most }, audit)
  switch (added) {
    case "added":
      return hook
    case "full":
      throw new Refusal("hook.full", `You already have the maximum of ${most} webhooks. Delete one first.`)
    case "gone":
      throw new Refusal("conversation.unknown", "The conversation was deleted.")
    case "known":
      throw new Refusal("trigger.changed", "This webhook already exists. Try again.")
    default:
      return unreachable(added)
  }
}

export async function changeHook(
  node: LogAccess & Agents,
  person: string,
  id: string,
  change: HookChange,
): Promise<Hook> {
  const { paused, name, template, perMinute } = change
  return changed(node, person, id, (hook) => {
    if ([name, template, perMinute].some((value) => value !== undefined)) checkNotDeclared("hook", hook)
    if (template !== undefined && hook.type !== null)
      throw new Refusal(
        "request.invalid",
        `This webhook has no template: it passes on messages of type "${hook.type}".`,
        "/template",
      )
    return {
      ...(paused === undefined ? {} : { state: paused ? ("paused" as const) : ("active" as const) }),
      ...(name === undefined ? {} : { name }),
      ...(template === undefined ? {} : { template }),
      ...(perMinute === undefined ? {} : { perMinute }),
    }
  })
}

/** The previous secret stays valid for another day, older ones do not. */
export async function rotateHook(
  node: LogAccess & Agents & Sealing,
  person: string,
  id: string,
  secret: string,
): Promise<void> {
  await changed(node, person, id, (hook) => {
    checkNotDeclared("hook", hook)
    return { secrets: rotated(node, hook, secret) }
  })
}

export function rotated(node: LogAccess & Sealing, { id, secrets }: Hook, secret: string): Hook["secrets"] {
  const [before] = secrets
  const old = before === undefined ? [] : [{ secret: before.secret, until: node.clock.now() + OVERLAP_MS }]
  return [{ secret: sealSecret(node, id, secret), until: null }, ...old]
}

export async function deleteHook(node: LogAccess & Agents, person: string, id: string): Promise<void> {
  checkNotDeclared("hook", await ownHook(node, person, id))
  const audit = { at: node.clock.now(), person, act: "hook.deleted", subject: shortened(id) }
  if (!(await node.store.triggers.delete(id, audit))) throw unknownHook(id)
}

/** By its URL; the secret decides who may deliver. */
export async function hookAt(node: LogAccess & Agents, id: string): Promise<Hook> {
  const record = await node.store.triggers.get(id)
  if (record?.kind === "hook") return hookOf(record)
  throw unknownHook(id)
}

/** The secrets that may sign a delivery now. Secrets whose encryption key is lost are left out. */
export function hookSecrets(node: LogAccess & Sealing, hook: Hook): readonly string[] {
  return goodSecrets(hook, node.clock.now()).flatMap((value) => openSecret(node, hook.id, value) ?? [])
}

export async function ownHook(node: LogAccess & Agents, person: string, id: string): Promise<Hook> {
  const hook = await hookAt(node, id)
  if (hook.person !== person) throw unknownHook(id)
  return hook
}

async function changed(
  node: LogAccess & Agents,
  person: string,
  id: string,
  make: (hook: Hook) => Partial<Hook>,
): Promise<Hook> {
  for (let tries = 0; tries < CHANGE_TRIES; tries++) {
    const hook = await ownHook(node, person, id)
    const now = { ...hook, ...make(hook), version: hook.version + 1 }
    if (await node.store.triggers.change(hookRecord(now))) return now
  }
  throw new Refusal("trigger.changed", "This webhook was changed at the same moment. Try again.")
}

function checkType(node: LogAccess & Agents, agent: string, type: string | null): void {
  const { inbox = {} } = agentOf(node, agent)
  if (type === null || Object.hasOwn(inbox, type)) return
  throw new Refusal("message.type-unknown", `${agent} does not accept messages of type "${type}".`, "/type")
}

function unknownHook(id: string): Refusal {
  return new Refusal("hook.unknown", `There is no webhook ${id}.`)
}
