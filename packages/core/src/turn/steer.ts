/** Messages that steer a running turn join it between two steps (TRN-9). */

import type { MessageRow, NewChange, QueueRow } from "@parlor/protocol"
import { decide, expectFirst, readState } from "../log/decide.ts"
import type { LogAccess } from "../log/log-access.ts"
import type { Owner } from "../log/owner.ts"
import { wholeRow } from "../log/whole-row.ts"
import { leaseTime } from "../queue/lease-time.ts"
import { removal, steering } from "../queue/queue.ts"
import { personMessage } from "./turn.ts"

/** Whether there is one: then the turn continues although the model has finished. */
export async function isSteered(node: LogAccess, owner: Owner): Promise<boolean> {
  const state = await readState(node, owner.stream)
  return steering(state.queue, await leaseTime(node, state.queue)).length > 0
}

/** The messages that have just joined, in order. */
export async function takeSteering(node: LogAccess, owner: Owner): Promise<readonly MessageRow[]> {
  const decided = await decide<readonly MessageRow[]>(
    node,
    owner.stream,
    async (state) => {
      const ready = steering(state.queue, await leaseTime(node, state.queue))
      const taken = await Promise.all(ready.map((row) => wholeRow(node, owner.stream, row)))
      const now = node.clock.now()
      const joined = taken.map((row, index) => joining(row, state.lastOrd + index + 1, state.status.turn, now))
      const changes = taken.flatMap((row, index): NewChange[] => {
        const message = joined[index]
        if (message === undefined) return []
        return [removal(row), { collection: "messages", key: message.id, operation: "insert", row: message }]
      })
      return { answer: joined, changes }
    },
    { txid: owner.txid, owner },
  )
  return expectFirst(decided).answer
}

function joining(row: QueueRow, ord: number, turn: MessageRow["turn"], now: number): MessageRow {
  return personMessage(row, ord, turn, now)
}
