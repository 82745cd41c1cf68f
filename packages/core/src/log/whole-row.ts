import { Bug, parseRow, type QueueRow, type StreamId } from "@parlor/protocol"
import type { Ports } from "../ports/ports.ts"
import { isWhole, type Waiting } from "../queue/waiting.ts"
import { Outdated } from "./decide.ts"

/**
 * The full message, for a decision that starts or changes it. If it has left the queue since the decision began, the
 * decision is made again; if it was edited since, the store rejects the decision.
 */
export async function wholeRow(node: Ports, stream: StreamId, row: Waiting): Promise<QueueRow> {
  if (isWhole(row)) return row
  const stored = (await node.store.log.read(stream, [{ collection: "queue", key: row.id }]))?.lists[0]?.[0]
  if (stored === undefined) throw new Outdated()
  const whole = parseRow("queue", stored.value)
  if (!isWhole(whole)) throw new Bug("a queue row without a payload")
  return whole
}
