import type { EventLog } from "@parlor/core"
import type { Watch } from "./watch.ts"

/** The log; the other nodes are told what is written to it. */
export function watchedLog(log: EventLog, watch: Watch): EventLog {
  return {
    ...log,
    commit: async (batch) => {
      const answers = await log.commit(batch)
      watch.committed(batch, answers)
      return answers
    },
    remove: async (stream, options) => {
      const answer = await log.remove(stream, options)
      if (answer === undefined || answer.ok) watch.removed(stream)
      if (answer !== undefined && options.feed !== undefined) watch.committed([options.feed], [answer])
      return answer
    },
    adopt: async (imported, adoption) => {
      const answer = await log.adopt(imported, adoption)
      if (answer.ok) watch.removed(adoption.over.id)
      watch.committed([adoption.append], [answer])
      return answer
    },
  }
}
