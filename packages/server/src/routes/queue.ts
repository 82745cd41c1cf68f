import type { Held } from "@parlor/core"
import type { Call, Services } from "../services.ts"
import { addressOf } from "./conversations.ts"

export const handlers = {
  listQueue,
  editQueued,
  removeQueued,
  clearQueue,
  sendNow,
  leaseQueued,
  releaseQueued,
  holdQueue,
  resumeQueue,
  answerAsk,
  answerOpenAsk,
}

async function listQueue({ runtime }: Services, call: Call<"listQueue">) {
  return runtime.queuePage(addressOf(call), { after: call.query.after })
}

async function editQueued({ runtime }: Services, call: Call<"editQueued">) {
  return { message: await runtime.edit(addressOf(call), call.params.message, call.body, call.txid) }
}

async function removeQueued({ runtime }: Services, call: Call<"removeQueued">) {
  await runtime.removeQueued(addressOf(call), call.params.message, call.txid)
}

async function clearQueue({ runtime }: Services, call: Call<"clearQueue">) {
  return runtime.clear(addressOf(call), call.txid)
}

async function sendNow({ runtime }: Services, call: Call<"sendNow">) {
  return runtime.sendNow(addressOf(call), call.params.message, call.txid)
}

async function leaseQueued({ runtime }: Services, call: Call<"leaseQueued">) {
  return { message: await runtime.lease(addressOf(call), call.params.message, call.body.holder, call.txid) }
}

async function releaseQueued({ runtime }: Services, call: Call<"releaseQueued">) {
  await runtime.release(addressOf(call), call.params.message, call.txid)
}

async function holdQueue({ runtime }: Services, call: Call<"holdQueue">): Promise<Held> {
  return runtime.hold(addressOf(call), call.txid)
}

async function resumeQueue({ runtime }: Services, call: Call<"resumeQueue">): Promise<Held> {
  return runtime.resume(addressOf(call), call.txid)
}

async function answerAsk({ runtime }: Services, call: Call<"answerAsk">) {
  const { answer, always } = call.body
  const given = { by: call.caller.person, txid: call.txid, always }
  return { ask: await runtime.answer(addressOf(call), call.params.ask, answer, given) }
}

async function answerOpenAsk({ runtime }: Services, call: Call<"answerOpenAsk">) {
  const { answer, always } = call.body
  const given = { by: call.caller.person, txid: call.txid, always }
  return { ask: await runtime.answer(addressOf(call), undefined, answer, given) }
}
