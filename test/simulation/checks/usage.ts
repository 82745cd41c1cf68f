/** [TRN-14] What a conversation used is what its turns used, and nothing of that is ever forgotten. */
import type { MakeCheck } from "../check.ts"

export const usage: MakeCheck = (it, wrong) => {
  let input = 0
  return {
    commit({ entries }) {
      for (const { stored, event } of entries) {
        if (event.type !== "turns") continue
        const known = it.rows.turns.get(event.key)
        const { steps, usage: used } = event.value
        if (known !== undefined && (steps < known.steps || used.inputTokens < known.usage.inputTokens))
          wrong("TRN-14", `${stored.seq}: ${event.key} goes from ${known.steps} steps to ${steps}`)
      }
    },
    folded({ entries }) {
      for (const { event } of entries)
        if (event.type === "turns" && event.value.endedAt !== null && event.value.retriedBy === undefined)
          input += event.value.usage.inputTokens
      const counted = it.status?.usage.inputTokens ?? 0
      if (entries.length > 0 && counted !== input)
        wrong("TRN-14", `${entries.at(-1)?.stored.seq}: ${counted} tokens counted, ${input} used`)
    },
  }
}
