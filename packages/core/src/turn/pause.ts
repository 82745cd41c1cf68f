/** The store is down and the spool has what was said: the turn pauses, and says so once the store is back (LOG-12). */
import type { Fault } from "@parlor/protocol"
import { stateOf, stateQueries, statusChange } from "../conversation/state.ts"
import { rowChange } from "../log/row-change.ts"
import type { Node } from "../node.ts"
import type { Drive } from "./owned.ts"

export async function pauseTurn(node: Node, drive: Drive, fault: Fault): Promise<void> {
  node.log.warn("turn paused", { agent: drive.address.agent, reason: fault.message })
  try {
    const read = await node.store.read(drive.stream, stateQueries)
    if (read === undefined) return
    const now = node.clock.now()
    const error = { code: fault.code, detail: "The store could not be reached. The answer goes on when it is back." }
    const status = { ...stateOf(read).status, state: "error", error, since: now } as const
    await node.writer.keepAside({
      stream: drive.stream,
      changes: [rowChange(statusChange(status))],
      txid: drive.txid,
      at: now,
      epoch: drive.epoch,
      batch: drive.batch(),
      active: true,
    })
  } catch (error) {
    node.log.warn("pause not recorded", { reason: String(error) })
  }
}
