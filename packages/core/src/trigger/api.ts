/**
 * A program sends a message with a trigger envelope: nobody is at the keyboard (TRG-1). Its credential identifies it;
 * its delivery id makes a repetition harmless (TRG-2).
 */
import { type Address, limits, type Sent, type Trigger } from "@parlor/protocol"
import { type Send, send } from "../command/send.ts"
import { perMinute, tooMany } from "../rate/rates.ts"
import type { TriggerAccess } from "./trigger-access.ts"

export type ApiEnvelope = {
  readonly deliveryId?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The key it was sent with; null for the person's own token. */
  readonly subject: string | null
}

export async function sendByApi(
  node: TriggerAccess,
  address: Address,
  message: Omit<Send, "trigger">,
  { deliveryId, headers, subject }: ApiEnvelope,
): Promise<Sent> {
  const now = node.clock.now()
  const waitMs = node.incoming.apiRates.take(address.person, perMinute(limits.apiTriggersPerMinute), now)
  if (waitMs > 0) throw tooMany(`Programs can send at most ${limits.apiTriggersPerMinute} messages per minute.`, waitMs)
  const id = deliveryId ?? message.key?.key ?? null
  const from = { scheduleId: null, headers: headers ?? null, subject }
  const trigger: Trigger = { source: "api", firedAt: now, deliveryId: id, ...from }
  const key = { key: `api\n${subject ?? ""}\n${id}`, hash: "" }
  const once = message.key === undefined && id !== null ? { key } : {}
  return send(node, address, { ...message, ...once, source: "api", trigger })
}
