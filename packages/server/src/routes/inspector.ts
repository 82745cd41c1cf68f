import type { Call, Services } from "../services.ts"
import { addressOf } from "./conversations.ts"

export const handlers = { inspectTurns, inspectTurn }

async function inspectTurns({ runtime }: Services, call: Call<"inspectTurns">) {
  const { cursor, limit } = call.query
  return runtime.inspectTurns(addressOf(call), { cursor, limit })
}

async function inspectTurn({ runtime }: Services, call: Call<"inspectTurn">) {
  return runtime.inspectTurn(addressOf(call), call.params.turn, { step: call.query.step })
}
