/** [TRN-4] A turn that has ended stays as it is, and a stop is answered soon, however the model stalls. */
import type { MakeCheck } from "../check.ts"

const STOP_MS = 500
/** With a store that takes its time. */
const SLOW_STOP_MS = 2_000

export const afterEnd: MakeCheck = (it, wrong, facts) => {
  const ended = new Set<string>()
  const endedMessages = new Set<string>()
  return {
    commit({ entries }) {
      for (const { stored, event } of entries) {
        if (event.type === "deltas" && endedMessages.has(event.value.message))
          wrong("TRN-4", `${stored.seq}: more text for ${event.value.message}, which had ended`)
        if (event.type === "messages" && event.value.role === "agent") {
          if (event.value.turn !== null && ended.has(event.value.turn))
            wrong("TRN-4", `${stored.seq}: ${event.key} changes after ${event.value.turn} had ended`)
          const isReplaced = it.rows.messages.get(event.key)?.state === "truncated" && event.value.state === "streaming"
          if (isReplaced) endedMessages.delete(event.key)
          if (endedMessages.has(event.key)) wrong("TRN-5", `${stored.seq}: ${event.key} changes after it had ended`)
          if (event.value.state !== "streaming") endedMessages.add(event.key)
        }
        if (event.type === "asks" && ended.has(event.value.turn))
          wrong("TRN-4", `${stored.seq}: ${event.key} changes after ${event.value.turn} had ended`)
        if (event.type === "turns" && event.value.endedAt !== null) {
          ended.add(event.key)
          for (const row of it.rows.messages.values())
            if (row.turn === event.key && row.state === "streaming" && !endedMessages.has(row.id))
              wrong("TRN-5", `${stored.seq}: ${event.key} ends and ${row.id} is still being said`)
        }
      }
    },
    answered(op) {
      if (op.command.kind !== "stop" || op.outcome !== "ok") return
      const { turn } = op.answer as { turn: string }
      if (op.command.turn !== undefined && op.command.turn !== turn)
        wrong("TRN-4", `a stop of ${op.command.turn} stopped ${turn}`)
      if (it.rows.turns.get(turn)?.state !== "stopped") wrong("TRN-4", `${turn} was stopped, says the answer`)
      const took = op.answeredAt - op.invokedAt
      if (took > (facts.profile.latency ? SLOW_STOP_MS : STOP_MS) && facts.quietSince(op.invokedAt, op.process))
        wrong("TRN-4", `stopping ${turn} took ${took} ms`)
    },
  }
}
