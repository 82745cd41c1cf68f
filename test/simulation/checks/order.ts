/**
 * [QUE-3, QUE-8, TRN-9] What starts by itself is the first in the queue that is not paused, and nobody has it open. What
 * was never moved starts in the order it came.
 */
import type { QueueRow } from "@parlor/protocol"
import type { MakeCheck } from "../check.ts"
import { startOf } from "./start-of.ts"

export const order: MakeCheck = (it, wrong) => {
  /** The order of arrival of those that were never moved, paused or meant to steer. */
  const arrivals = new Map<string, number>()
  /** Messages from triggers may pass people's messages that are held (QUE-21): each kind has its own order. */
  const latest = { people: 0, triggers: 0 }
  return {
    commit(commit) {
      const start = startOf(it, commit)
      if (start?.by === "itself") {
        const passes = it.status?.held?.only === "triggers"
        const first = it.queue.find((row) => row.mode !== "paused" && (!passes || row.trigger !== null))
        if (first?.id !== start.message)
          wrong("QUE-3", `${start.seq}: ${start.message} starts, ${first?.id} is first of ${it.queue.length}`)
        const arrived = arrivals.get(start.message)
        if (arrived !== undefined) {
          const kind = it.rows.queue.get(start.message)?.trigger ? "triggers" : "people"
          if (arrived < latest[kind]) wrong("QUE-3", `${start.seq}: ${start.message} starts after one that came later`)
          latest[kind] = arrived
        }
      }
      for (const { stored, event } of commit.entries) {
        if (event.type !== "queue") continue
        const { operation } = event.headers
        if (operation === "insert" && isPlain(commit.append.txid, event.value)) arrivals.set(event.key, stored.seq)
        if (operation === "update" && hasMoved(event.value)) arrivals.delete(event.key)
      }
    },
  }

  function isPlain(txid: string, row: QueueRow): boolean {
    const command = it.opBy.get(txid)?.command
    return command?.kind === "send" && command.position === undefined && row.mode !== "paused" && row.mode !== "steer"
  }

  function hasMoved(row: QueueRow): boolean {
    const before = it.rows.queue.get(row.id)
    return before === undefined || before.position !== row.position || row.mode === "paused"
  }
}
