import { idempotencyKey } from "../http/once.ts"
import type { Call, Services } from "../services.ts"
import { addressOf } from "./conversations.ts"

export const handlers = { exportConversation, importConversation }

async function exportConversation({ runtime }: Services, call: Call<"exportConversation">) {
  await runtime.conversation(addressOf(call))
  return runtime.exportLines(addressOf(call), { memory: call.query.memory })
}

async function importConversation({ runtime }: Services, call: Call<"importConversation">) {
  const { agent, branch } = call.query
  const address = { agent, branch, person: call.caller.person }
  const { lines, digest } = call.lines
  const given = idempotencyKey(call.header("idempotency-key"))
  const key = given === undefined ? undefined : { key: given, hash: digest }
  const { messages } = await runtime.importLines(address, lines, { txid: call.txid, key })
  return { agent, branch, messages }
}
