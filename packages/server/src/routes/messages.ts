import { createHash } from "node:crypto"
import type { Json } from "@parlor/core"
import { type BodyOf, COMPOSER_INPUT, type Sent } from "@parlor/protocol"
import { idempotencyKey } from "../http/once.ts"
import type { Call, Services } from "../services.ts"
import { addressOf } from "./conversations.ts"

export const handlers = { send, listMessages, stop }

async function send(services: Services, call: Call<"send">) {
  const sent = await accept(services, call)
  // The response of an earlier send with the same key: nothing was added.
  if (sent.txid !== call.txid) services.sends.giveBack(call.caller)
  return sent
}

function accept({ runtime }: Services, call: Call<"send">): Promise<Sent> {
  const key = idempotencyKey(call.header("idempotency-key"))
  const { mode, position, guests, editedFrom, trigger } = call.body
  const message = {
    ...inputOf(call.body),
    ...(guests === undefined ? {} : { guests }),
    mode,
    source: call.caller.key === null ? "person" : "api",
    txid: call.txid,
    ...(position === undefined ? {} : { position }),
    ...(editedFrom === undefined ? {} : { editedFrom }),
    ...(key === undefined ? {} : { key: { key, hash: hashOf(call.body) } }),
  }
  if (trigger === undefined) return runtime.send(addressOf(call), message)
  return runtime.sendByApi(addressOf(call), message, { ...trigger, subject: call.caller.key?.id ?? null })
}

async function listMessages({ runtime }: Services, call: Call<"listMessages">) {
  const { before, limit } = call.query
  return runtime.history(addressOf(call), { before, limit })
}

async function stop({ runtime }: Services, call: Call<"stop">) {
  const { turn, onQueue } = call.body
  return runtime.stop(addressOf(call), { turn, onQueue, txid: call.txid })
}

function inputOf(body: BodyOf<"send">): { readonly type: string; readonly payload: Json } {
  if ("text" in body) return { type: COMPOSER_INPUT, payload: { source: body.text } }
  return { type: body.type, payload: body.payload as Json }
}

/** A digest of the parsed request, not of its bytes: whitespace does not make a different request. */
function hashOf(body: BodyOf<"send">): string {
  return createHash("sha256").update(JSON.stringify(body)).digest("base64url")
}
