/**
 * The queue by page, in the order its messages will start (QUE-3, LOG-25). The cursor is a place in that order, so it
 * stays valid when the message it came from has left the queue.
 */
import { type Address, inQueueOrder, limits, type QueuePage, type QueueRow, queuePlace } from "@parlor/protocol"
import type { Agents } from "../agent/agent-of.ts"
import { conversationAt } from "../log/address.ts"
import type { Ports } from "../ports/ports.ts"
import type { StoredRow } from "../ports/store.ts"
import { isWhole, parseWaiting, type Waiting } from "../queue/waiting.ts"

export async function queuePage(
  node: Ports & Agents,
  address: Address,
  options: { readonly after: string | undefined },
): Promise<QueuePage> {
  const stream = await conversationAt(node, address)
  const read = async (query: { readonly key: string } | { readonly outlines: true }): Promise<readonly StoredRow[]> =>
    (await node.store.log.read(stream.id, [{ collection: "queue", ...query }]))?.lists[0] ?? []
  const waiting = inQueueOrder((await read({ outlines: true })).map(parsed))
  const queue: QueueRow[] = []
  let bytes = 0
  for (const row of waiting) {
    if (options.after !== undefined && queuePlace(row) <= options.after) continue
    const whole = isWhole(row) ? row : (await read({ key: row.id })).map(parsed)[0]
    // It has left the queue since the outlines were read.
    if (whole === undefined || !isWhole(whole)) continue
    bytes += whole.chars
    const last = queue.at(-1)
    if (last !== undefined && bytes > limits.pageBytes) return { queue, later: queuePlace(last) }
    const { chars: _, ...shown } = whole
    queue.push(shown)
  }
  return { queue, later: null }
}

function parsed({ value }: StoredRow): Waiting & { readonly chars: number } {
  return { ...parseWaiting(value), chars: value.length }
}
