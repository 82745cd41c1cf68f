import type { AnswerOf } from "@parlor/protocol"
import type { Call, Services } from "../services.ts"
import { addressOf } from "./conversations.ts"

export const handlers = { previewRollback, rollBack, cancelRollback }

async function previewRollback({ runtime }: Services, call: Call<"previewRollback">) {
  return runtime.previewRollback(addressOf(call), { to: call.query.to, edit: call.query.edit })
}

async function rollBack({ runtime }: Services, call: Call<"rollBack">): Promise<AnswerOf<"rollBack">> {
  const { to, scope, edit } = call.body
  return runtime.rollBack(addressOf(call), { to, scope, edit, txid: call.txid })
}

async function cancelRollback({ runtime }: Services, call: Call<"cancelRollback">) {
  return { rollback: await runtime.cancelRollback(addressOf(call), call.params.rollback, call.txid) }
}
