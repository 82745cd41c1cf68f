import { createHash } from "node:crypto"
import type { Json } from "@parlor/core"
import { type BodyOf, COMPOSER_INPUT, Refusal, type Sent } from "@parlor/protocol"
import type { Caller } from "../auth/caller.ts"
import { idempotencyKey } from "../http/once.ts"
import type { Call, Services } from "../services.ts"
import { checkResume } from "../turns/answer-send.ts"
import { addressOf } from "./conversations.ts"

export const handlers = { send, listMessages, rateMessage, stop }

/** Whether the response waits for the reply or streams it is decided afterwards: `turns/answer-send.ts`. */
async function send(services: Services, call: Call<"send">) {
  checkSender(call.body.from, call.caller)
  await checkResume(services, call)
  const sent = await accept(services, call).catch((error: unknown) => {
    throw call.body.guest === undefined ? error : pointingToGuest(error)
  })
  // The response of an earlier send with the same key: nothing was added.
  if (sent.txid !== call.txid) services.sends.giveBack(call.caller)
  return sent
}

function accept({ runtime }: Services, call: Call<"send">): Promise<Sent> {
  const key = idempotencyKey(call.header("idempotency-key"))
  const { mode, position, editedFrom, trigger } = call.body
  const guests = guestsOf(call.body)
  const message = {
    mode,
    source: call.caller.key === null ? "person" : "api",
    txid: call.txid,
    ...inputOf(call.body),
    ...(guests === undefined ? {} : { guests }),
    ...(position === undefined ? {} : { position }),
    ...(editedFrom === undefined ? {} : { editedFrom }),
    ...(key === undefined ? {} : { key: { key, hash: hashOf(call.body) } }),
  }
  if (trigger === undefined) return runtime.send(addressOf(call), message)
  return runtime.sendByApi(addressOf(call), message, { ...trigger, subject: call.caller.key?.id ?? null })
}

/** A sender that the credential does not identify is refused, not ignored (ADR-2, CMP-17). */
function checkSender(from: string | undefined, { person, linkedName }: Caller): void {
  if (from === undefined || from === person || from === linkedName) return
  throw new Refusal(
    "person.not-allowed",
    `This request is made as ${JSON.stringify(linkedName ?? person)}, so it cannot be from ${JSON.stringify(from)}.`,
    "/from",
  )
}

function guestsOf({ guest, guests }: BodyOf<"send">): readonly string[] | undefined {
  return guest === undefined ? guests : [guest]
}

/** The client wrote `guest`, so the pointer names that. */
function pointingToGuest(error: unknown): unknown {
  if (!(error instanceof Refusal) || error.pointer !== "/guests/0") return error
  return new Refusal(error.code, error.message, "/guest")
}

async function listMessages({ runtime }: Services, call: Call<"listMessages">) {
  const { before, limit } = call.query
  return runtime.history(addressOf(call), { before, limit })
}

async function rateMessage({ runtime }: Services, call: Call<"rateMessage">) {
  const { message } = call.params
  await runtime.rate(addressOf(call), { message, feedback: call.body.feedback }, call.txid)
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
