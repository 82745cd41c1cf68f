import { type Hook, hookView, type Json, perMinute, tooMany } from "@parlor/core"
import { type BodyOf, COMPOSER_INPUT, Refusal } from "@parlor/protocol"
import { digest } from "../auth/caller.ts"
import { bodyOf, safeHeaders } from "../hook/delivery.ts"
import { newSecret, newSecretId } from "../hook/secret.ts"
import { checkSignature } from "../hook/signature.ts"
import type { Allowance } from "../http/allowance.ts"
import { idempotencyKey } from "../http/once.ts"
import type { Call, Services } from "../services.ts"

export const handlers = {
  listSchedules,
  makeSchedule,
  openSchedule,
  changeSchedule,
  deleteSchedule,
  fireSchedule,
  listHooks,
  makeHook,
  openHook,
  changeHook,
  deleteHook,
  rotateHook,
  fireHook,
  deliverHook,
  listNotices,
  makeNotice,
  openNotice,
  changeNotice,
  deleteNotice,
  testNotice,
}

/** Unsigned deliveries recorded per minute and address; tests of outgoing webhooks have the same limit. */
const TRIES = perMinute(10)

async function listSchedules({ runtime }: Services, call: Call<"listSchedules">) {
  return { schedules: [...(await runtime.listSchedules(call.caller.person, call.query))] }
}

async function makeSchedule({ runtime }: Services, call: Call<"makeSchedule">) {
  const { agent, branch, when, missed, name } = call.body
  const asked = { agent, branch, when, missed, name, ...inputOf(call.body) }
  return runtime.makeSchedule(call.caller.person, asked, { txid: call.txid })
}

async function openSchedule({ runtime }: Services, call: Call<"openSchedule">) {
  return runtime.openSchedule(call.caller.person, call.params.id)
}

async function changeSchedule({ runtime }: Services, call: Call<"changeSchedule">) {
  return runtime.changeSchedule(call.caller.person, call.params.id, call.body)
}

async function deleteSchedule({ runtime }: Services, call: Call<"deleteSchedule">) {
  await runtime.deleteSchedule(call.caller.person, call.params.id)
}

async function fireSchedule({ runtime }: Services, call: Call<"fireSchedule">) {
  const key = idempotencyKey(call.header("idempotency-key"))
  return runtime.fireSchedule(call.caller.person, call.params.id, { txid: call.txid, key })
}

async function listHooks({ runtime, publicUrl }: Services, call: Call<"listHooks">) {
  const found = await runtime.listHooks(call.caller.person)
  return { hooks: found.map(({ hook, last }) => hookView(hook, urlOf(hook, publicUrl, call.header), last)) }
}

async function makeHook({ runtime, publicUrl }: Services, call: Call<"makeHook">) {
  const { agent, branch, name, style, perMinute } = call.body
  const says = "template" in call.body ? { template: call.body.template, type: null } : withType(call.body)
  const made = { id: newSecretId("hook"), secret: newSecret(), txid: call.txid }
  const hook = await runtime.makeHook(call.caller.person, { agent, branch, name, style, perMinute, ...says }, made)
  return { ...hookView(hook, urlOf(hook, publicUrl, call.header), null), secret: made.secret }
}

async function openHook({ runtime, publicUrl }: Services, call: Call<"openHook">) {
  const { hook, firings } = await runtime.openHook(call.caller.person, call.params.id)
  return { ...hookView(hook, urlOf(hook, publicUrl, call.header), firings[0] ?? null), firings }
}

async function changeHook({ runtime, publicUrl }: Services, call: Call<"changeHook">) {
  const { person } = call.caller
  const hook = await runtime.changeHook(person, call.params.id, call.body)
  const { firings } = await runtime.openHook(person, hook.id)
  return hookView(hook, urlOf(hook, publicUrl, call.header), firings[0] ?? null)
}

async function deleteHook({ runtime }: Services, call: Call<"deleteHook">) {
  await runtime.deleteHook(call.caller.person, call.params.id)
}

async function rotateHook({ runtime }: Services, call: Call<"rotateHook">) {
  const secret = newSecret()
  await runtime.rotateHook(call.caller.person, call.params.id, secret)
  return { secret }
}

async function fireHook({ runtime }: Services, call: Call<"fireHook">) {
  const hook = await runtime.ownHook(call.caller.person, call.params.id)
  const id = `fire ${idempotencyKey(call.header("idempotency-key")) ?? call.txid}`
  const delivery = { id, body: bodyOf(call.bytes, call.header), headers: safeHeaders(call.header) }
  return runtime.deliver(hook, delivery, { txid: call.txid })
}

/** Checks before the body is read: the webhook exists, and there is room for the body (SEC-15). */
export async function admit({ runtime, strangers }: Services, { id }: { readonly id: string }): Promise<Allowance> {
  await runtime.hookAt(id)
  return strangers.open(id)
}

/** The signature is checked before the body is parsed (TRG-2). */
async function deliverHook({ runtime, clock, sends, tries }: Services, call: Call<"deliverHook">) {
  const hook = await runtime.hookAt(call.params.id)
  const now = clock.now()
  const given = { secrets: runtime.hookSecrets(hook), header: call.header, body: call.bytes, now }
  try {
    const id = checkSignature(hook.style, given)
    const known = hook.style === "github" ? { bodyHash: digest(call.bytes).toString("hex") } : {}
    const delivery = { id, body: bodyOf(call.bytes, call.header), headers: safeHeaders(call.header), ...known }
    return await sends.during(hook.person, () => runtime.deliver(hook, delivery, { txid: call.txid }))
  } catch (error) {
    const isStranger = error instanceof Refusal && error.code === "hook.signature"
    if (isStranger && tries.take(hook.id, TRIES, now) === 0) await runtime.refuseDelivery(hook, error)
    throw error
  }
}

async function listNotices({ runtime }: Services, call: Call<"listNotices">) {
  return { notices: [...(await runtime.listNotices(call.caller.person))] }
}

async function makeNotice({ runtime }: Services, call: Call<"makeNotice">) {
  const made = { id: newSecretId("ntc"), secret: newSecret() }
  return { ...(await runtime.makeNotice(call.caller.person, call.body, made)), secret: made.secret }
}

async function openNotice({ runtime }: Services, call: Call<"openNotice">) {
  return runtime.openNotice(call.caller.person, call.params.id)
}

async function changeNotice({ runtime }: Services, call: Call<"changeNotice">) {
  return runtime.changeNotice(call.caller.person, call.params.id, call.body)
}

async function deleteNotice({ runtime }: Services, call: Call<"deleteNotice">) {
  await runtime.deleteNotice(call.caller.person, call.params.id)
}

async function testNotice({ runtime, clock, tries }: Services, call: Call<"testNotice">) {
  const { person } = call.caller
  const waitMs = tries.take(`test ${person}`, TRIES, clock.now())
  if (waitMs > 0) throw tooMany(`At most ${TRIES.perMinute} tests per minute are allowed.`, waitMs)
  return runtime.testNotice(person, call.params.id)
}

function inputOf(body: BodyOf<"makeSchedule">): { readonly type: string; readonly payload: Json } {
  if ("text" in body) return { type: COMPOSER_INPUT, payload: { source: body.text } }
  return { type: body.type, payload: body.payload as Json }
}

function withType({ type }: { readonly type: string }) {
  return { template: null, type }
}

/** Senders use the same URL as the caller, unless a public URL is configured. */
function urlOf({ id }: Hook, publicUrl: string | undefined, header: (name: string) => string | undefined): string {
  return `${publicUrl ?? `http://${header("host") ?? "localhost"}`}/hooks/${id}`
}
