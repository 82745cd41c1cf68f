/** The models of an agent, and the model settings of a conversation (MOD-3 to MOD-5). */
import type { Call, Services } from "../services.ts"
import { addressOf } from "./conversations.ts"

export const handlers = { listModels, setModel }

async function listModels({ runtime }: Services, { params }: Call<"listModels">) {
  return runtime.models(params.agent)
}

async function setModel({ runtime }: Services, call: Call<"setModel">) {
  return { settings: await runtime.setModel(addressOf(call), call.body, call.txid) }
}
