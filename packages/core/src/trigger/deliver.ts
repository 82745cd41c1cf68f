/**
 * A delivery becomes a message, once (TRG-2, TRG-5). The sender was authorized before this is called.
 *
 * The delivery's id is the idempotency key of the send: a repetition gets the first answer, whatever its content. If
 * the id is not signed, the body decides what is a repetition (`replayed.ts`).
 */
import { COMPOSER_INPUT, type Delivered, Refusal, type Trigger, type TxId } from "@parlor/protocol"
import { send } from "../command/send.ts"
import type { Json } from "../ports/json.ts"
import { perMinute, tooMany } from "../rate/rates.ts"
import { addressOf } from "../schedule/schedule.ts"
import { firingRecord } from "./firing.ts"
import { type Hook, shortened } from "./hook.ts"
import { firstIdOf } from "./replayed.ts"
import { type Delivery, filledIn } from "./template.ts"
import type { TriggerAccess } from "./trigger-access.ts"

export async function deliver(
  node: TriggerAccess,
  hook: Hook,
  delivery: Delivery,
  options: { readonly txid: TxId },
): Promise<Delivered> {
  const now = node.clock.now()
  const { headers } = delivery
  // First, because rejected deliveries are recorded too.
  checkRate(node, hook)
  const id = await firstIdOf(node, hook, delivery)
  if (hook.state === "paused") throw await failed(node, hook, id, new Refusal("hook.paused", "This webhook is paused."))
  const from = { scheduleId: null, subject: shortened(hook.id) }
  const trigger: Trigger = { source: "webhook", firedAt: now, deliveryId: id, headers, ...from }
  const key = { key: `hook\n${hook.id}\n${id}`, hash: hook.id }
  const input = inputOf(hook, { ...delivery, id })
  const message = { ...input, mode: "immediate", source: "webhook", trigger, key, stream: hook.stream } as const
  try {
    const sent = await send(node, addressOf(hook), { ...message, txid: options.txid })
    const outcome = sent.outcome === "started" ? "started" : "queued"
    const known = delivery.bodyHash === undefined ? {} : { bodyHash: delivery.bodyHash }
    const firing = { id, at: now, dueAt: null, outcome, message: sent.message, error: null, ...known } as const
    await node.store.triggers.putFiring(firingRecord(hook.id, firing))
    return { delivery: id, outcome, message: sent.message }
  } catch (error) {
    throw error instanceof Refusal ? await failed(node, hook, id, error) : error
  }
}

/** Recorded so that people can see why nothing arrives; nothing a stranger sent is stored. */
export async function refuseDelivery(node: TriggerAccess, hook: Hook, why: Refusal): Promise<void> {
  const now = node.clock.now()
  const error = { code: why.code, detail: why.message }
  const firing = {
    id: node.ids.next("refused"),
    at: now,
    dueAt: null,
    outcome: "refused",
    message: null,
    error,
  } as const
  await node.store.triggers.putFiring(firingRecord(hook.id, firing))
}

function inputOf(hook: Hook, delivery: Delivery): { readonly type: string; readonly payload: Json } {
  if (hook.type !== null) return { type: hook.type, payload: delivery.body }
  const source = filledIn(hook.template ?? "", delivery)
  return { type: COMPOSER_INPUT, payload: { source: source.trim() === "" ? EMPTY : source } }
}

function checkRate(node: TriggerAccess, hook: Hook): void {
  const waitMs = node.incoming.hookRates.take(hook.id, perMinute(hook.perMinute), node.clock.now())
  if (waitMs > 0) throw tooMany(`This webhook accepts at most ${hook.perMinute} deliveries per minute.`, waitMs)
}

const EMPTY = "(The webhook was called, but its template produced no text.)"

async function failed(node: TriggerAccess, hook: Hook, id: string, why: Refusal): Promise<Refusal> {
  const error = { code: why.code, detail: why.message }
  const firing = { id, at: node.clock.now(), dueAt: null, outcome: "failed", message: null, error } as const
  await node.store.triggers.putFiring(firingRecord(hook.id, firing))
  return why
}
