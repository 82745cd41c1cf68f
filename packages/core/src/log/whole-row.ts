import { Bug, type QueueRow, type StreamId } from "@parlor/protocol"
import type { Ports } from "../ports/ports.ts"
import { completedWaiting, isWhole, type Waiting } from "../queue/waiting.ts"
import { Outdated } from "./decide.ts"

/**
 * The message with what it says, for a decision that starts or changes it. When it has left the queue since the decision
 * was begun, that is made again; when it was edited since, the store refuses what is decided on it.
 */
export async function wholeRow(node: Ports, stream: StreamId, row: Waiting): Promise<QueueRow> {
  if (isWhole(row)) return row
  const stored = (await node.store.read(stream, [{ collection: "queue", key: row.id }]))?.lists[0]?.[0]
  if (stored === undefined) throw new Outdated()
  const whole = completedWaiting(JSON.parse(stored.value) as Waiting)
  if (!isWhole(whole)) throw new Bug("a queue row without a payload")
  return whole
}
