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
  let latest = 0
  return {
    commit(commit) {
      const start = startOf(it, commit)
      if (start?.by === "itself") {
        const first = it.queue.find((row) => row.mode !== "paused")
        if (first?.id !== start.message)
          wrong("QUE-3", `${start.seq}: ${start.message} starts, ${first?.id} is first of ${it.queue.length}`)
        const arrived = arrivals.get(start.message)
        if (arrived !== undefined) {
          if (arrived < latest) wrong("QUE-3", `${start.seq}: ${start.message} starts after one that came later`)
          latest = arrived
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
