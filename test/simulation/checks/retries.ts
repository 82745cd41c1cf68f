/** [TRN-10] Faults that may pass are tried again, after a while, so many times; others are not. */
import type { MakeCheck } from "../check.ts"
import type { ModelCall } from "../sim-model.ts"
import { LEFTOVER_MS } from "./requests.ts"

export const retries: MakeCheck = (it, wrong, facts) => {
  /** The calls for one step by one process, of one model. */
  const calls = new Map<string, ModelCall[]>()
  const { tries, baseMs } = facts.settings.retry
  /** Turns that a process took from itself: what it had begun before cannot be told from what it began then. */
  const twice = new Set<string>()
  return {
    commit({ append, process }) {
      if (append.lease?.kind === "claim" && it.owner === process && it.turn !== undefined) twice.add(it.turn.id)
    },
    called(call) {
      if (it.turn === undefined || it.owner !== call.process || twice.has(it.turn.id)) return
      if (it.leftBehindAt + LEFTOVER_MS > call.at) return
      const key = `${call.process.name} ${it.epoch} ${it.turn.id} ${it.turn.steps} ${call.model}`
      const known = calls.get(key) ?? []
      calls.set(key, [...known, call])
      const last = known.at(-1)
      if (last === undefined || last.end === "finished") return
      if (known.length >= tries) wrong("TRN-10", `call ${call.number} is try ${known.length + 1} of ${it.turn.id}`)
      if (last.end === "permanent") wrong("TRN-10", `call ${call.number} tries again what cannot be mended`)
      const waited = call.at - last.endedAt
      const least = last.retryAfterMs ?? Math.round(baseMs * 2 ** (known.length - 1) * 0.75)
      if (last.end === "transient" && waited < least) wrong("TRN-10", `call ${call.number} came after ${waited} ms`)
    },
    folded() {
      const { attempt } = it.status ?? { attempt: null }
      if (attempt !== null && (attempt < 2 || attempt > tries)) wrong("TRN-10", `attempt ${attempt} of ${tries}`)
    },
  }
}
