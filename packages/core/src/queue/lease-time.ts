/**
 * The time used for edit leases: the store's, which all nodes share, whatever their own clocks say (QUE-19). It is read
 * only if there is a lease to compare with.
 */
import type { Millis, QueueRow } from "@parlor/protocol"
import type { Ports } from "../ports/ports.ts"

export async function leaseTime(node: Ports, queue: readonly Pick<QueueRow, "lease">[]): Promise<Millis> {
  return queue.some(({ lease }) => lease !== null) ? node.store.now() : 0
}
