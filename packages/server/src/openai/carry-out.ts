/** Carries a plan out. Every step can be repeated: it is recognized by the plan's key, or changes nothing more. */
import { createHash } from "node:crypto"
import type { ResponsePlace, Said, SaidAll } from "@parlor/adapters"
import type { Json } from "@parlor/core"
import {
  type Address,
  COMPOSER_INPUT,
  type MessageId,
  parseOffset,
  Refusal,
  type RefusalCode,
  type SendMode,
  type Sent,
} from "@parlor/protocol"
import type { Services } from "../services.ts"
import { composerInputOf } from "../turns/client-input.ts"
import { isYesOrNo, readableAnswer } from "../turns/text-answer.ts"
import type { Plan } from "./plan.ts"
import type { SendCall } from "./send-call.ts"
import { markOf } from "./stored.ts"

/** Where the reply is. */
export type Place = Omit<ResponsePlace, "background">

type Doing = { readonly plan: Plan; readonly isRepeat: boolean; readonly said: SaidAll }

export async function carryOut(services: Services, call: SendCall, doing: Doing): Promise<Place> {
  const { plan, said } = doing
  const { agent, branch, created, act } = plan
  const address = { agent, branch, person: call.caller.person }
  const place = { agent, branch, created }
  switch (act.kind) {
    case "answer":
      return { ...place, ...(await answerAsk(services, call, { ...doing, address, ask: act.ask })) }
    case "follow":
      services.sends.giveBack(call.caller)
      return { ...place, ...(await placeOf(services, address, act.message)) }
    case "replace": {
      const rollback = { to: act.message, scope: "both", edit: true, txid: call.txid } as const
      await services.runtime.rollBack(address, rollback).catch(ignoring("rollback.dimmed", "rollback.nothing"))
      const editedFrom = act.message as MessageId
      return { ...place, ...(await sendIn(services, call, { address, plan, message: said.message, editedFrom })) }
    }
    case "fork": {
      const key = { key: `${plan.key}:fork`, hash: plan.key }
      const asked = { from: act.from, name: undefined, ephemeral: false, txid: call.txid, key }
      const made = await services.runtime.makeBranch(address, asked)
      const there = { ...address, branch: made.branch }
      const sent = await sendIn(services, call, { address: there, plan, message: said.message })
      return { ...place, branch: made.branch, ...sent }
    }
    case "send":
      if (act.importsHistory) await importHistory(services, call, { address, plan, history: said.history })
      return { ...place, ...(await sendIn(services, call, { address, plan, message: said.message })) }
  }
}

type Found = Pick<Place, "message" | "after" | "queued" | "ask">

type Sending = {
  readonly address: Address
  readonly plan: Plan
  readonly message: Said
  readonly mode?: SendMode
  readonly editedFrom?: MessageId
}

async function sendIn(services: Services, call: SendCall, sending: Sending): Promise<Found> {
  const sent = await sendOnce(services, call, sending)
  if (sent.txid !== call.txid) services.sends.giveBack(call.caller)
  if (!sent.turn) return { message: sent.message, after: seqOf(sent), queued: true }
  const { began } = await services.runtime.turn(sending.address, sent.turn)
  return { message: sent.message, after: began ?? 0, queued: false }
}

/** An unknown branch is created. */
async function sendOnce(services: Services, call: SendCall, sending: Sending): Promise<Sent> {
  const { address, plan, message, mode = "immediate", editedFrom } = sending
  const { runtime } = services
  const payload = { ...(await composerInputOf(services, address.person, message)), ...markOf(message.text) }
  const send = {
    type: COMPOSER_INPUT,
    payload: payload as unknown as Json,
    mode,
    source: call.caller.key === null ? "person" : "api",
    txid: call.txid,
    key: { key: plan.key, hash: plan.key },
    ...(editedFrom === undefined ? {} : { editedFrom }),
  }
  try {
    return await runtime.send(address, send)
  } catch (error) {
    if (!(error instanceof Refusal && error.code === "conversation.unknown")) throw error
    await runtime.make(address, call.txid)
    return runtime.send(address, send)
  }
}

async function answerAsk(
  services: Services,
  call: SendCall,
  doing: Doing & { readonly address: Address; readonly ask: string },
): Promise<Found> {
  const { runtime } = services
  const { address, plan, isRepeat, said } = doing
  const { text } = said.message
  const row = await runtime.ask(address, doing.ask)
  // Neither yes nor no: nothing is allowed, and the agent reads why.
  if (row.kind === "approval" && row.state === "open" && !isYesOrNo(text))
    await sendOnce(services, call, { address, plan, message: said.message, mode: "steer" })
  else services.sends.giveBack(call.caller)
  const by = { by: call.caller.person, txid: call.txid }
  const answered = await runtime.answer(address, row.id, readableAnswer(row, text), by).catch(ignoring("ask.closed"))
  // It was answered on another device in the meantime: then this is an ordinary message.
  if (answered === undefined && !isRepeat) return sendIn(services, call, { address, plan, message: said.message })
  const { began, message } = await runtime.turn(address, row.turn)
  return { message, after: began ?? 0, queued: false, ask: row.id }
}

async function placeOf({ runtime }: Services, address: Address, message: string): Promise<Found> {
  const { messages } = await runtime.snapshot(address, { messages: LOOK_BACK })
  const turn = messages.find(({ id }) => id === message)?.turn ?? null
  if (turn !== null) return { message, after: (await runtime.turn(address, turn)).began ?? 0, queued: false }
  const { head } = await runtime.conversation(address)
  return { message, after: head, queued: true }
}

const LOOK_BACK = 100

async function importHistory(
  { runtime }: Services,
  call: SendCall,
  { address, plan, history }: { readonly address: Address; readonly plan: Plan; readonly history: readonly Said[] },
): Promise<void> {
  const lines = historyLines(history)
  if (lines.length === 0) return
  const key = { key: `${plan.key}:history`, hash: () => createHash("sha256").update(lines.join("\n")).digest("hex") }
  await runtime.importLines(address, lines, { txid: call.txid, key })
}

/** Messages that the client has from elsewhere. Only their text: models have read the files. */
export function historyLines(history: readonly Said[]): readonly string[] {
  return history.flatMap(({ role, text }) =>
    text.trim() === "" ? [] : [JSON.stringify({ role: role === "user" ? "person" : "agent", text })],
  )
}

function ignoring(...codes: readonly RefusalCode[]) {
  return (error: unknown): undefined => {
    if (!(error instanceof Refusal && codes.includes(error.code))) throw error
  }
}

function seqOf({ offset }: Sent): number {
  const seq = parseOffset(offset)
  return typeof seq === "number" ? seq : 0
}
