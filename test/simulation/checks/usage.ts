/** [TRN-14] What a conversation used is what its turns used. */
import type { MakeCheck } from "../check.ts"

export const usage: MakeCheck = (it, wrong) => {
  let input = 0
  return {
    folded({ entries }) {
      for (const { event } of entries)
        if (event.type === "turns" && event.value.endedAt !== null) input += event.value.usage.inputTokens
      const counted = it.status?.usage.inputTokens ?? 0
      if (entries.length > 0 && counted !== input)
        wrong("TRN-14", `${entries.at(-1)?.stored.seq}: ${counted} tokens counted, ${input} used`)
    },
  }
}
