/** [TRN-1] At most one turn runs: beginnings and ends alternate, each turn ends once, one message is being said. */
import type { MakeCheck } from "../check.ts"

export const oneTurn: MakeCheck = (_it, wrong) => {
  const known = new Set<string>()
  let open: string | null = null
  let streaming: string | null = null
  return {
    commit({ entries }) {
      for (const { stored, event } of entries) {
        if (event.type === "turns") {
          const isStart = event.headers.operation === "insert"
          if (isStart && open !== null) wrong("TRN-1", `${stored.seq}: ${event.key} starts while ${open} runs`)
          if (isStart && known.has(event.key)) wrong("TRN-1", `${stored.seq}: ${event.key} starts again`)
          const isNoted = known.has(event.key) && event.value.retriedBy !== undefined
          if (isNoted) continue
          if (!isStart && event.key !== open) wrong("TRN-1", `${stored.seq}: ${event.key} changes, ${open} runs`)
          known.add(event.key)
          open = event.value.endedAt === null ? event.key : null
        }
        if (event.type !== "messages" || event.value.role !== "agent" || event.value.turn === null) continue
        if (event.value.turn !== open)
          wrong("TRN-1", `${stored.seq}: ${event.key} of ${event.value.turn}, ${open} runs`)
        if (streaming !== null && streaming !== event.key)
          wrong("TRN-1", `${stored.seq}: ${event.key} is said while ${streaming} is`)
        streaming = event.value.state === "streaming" ? event.key : null
      }
    },
  }
}
