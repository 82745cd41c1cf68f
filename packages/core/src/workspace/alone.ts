/**
 * One at a time for each workspace in this process: looking at the disk, deciding, and putting the disk in order are
 * one piece of work, or a copy on disk could be taken for something it is not. Other processes have disks of their own.
 */
import type { StreamId } from "@parlor/protocol"
import type { Node } from "../node.ts"

const tails = new WeakMap<Node, Map<StreamId, Promise<unknown>>>()

export async function alone<T>(node: Node, stream: StreamId, work: () => Promise<T>): Promise<T> {
  const known = tails.get(node) ?? new Map<StreamId, Promise<unknown>>()
  tails.set(node, known)
  const before = known.get(stream) ?? Promise.resolve()
  const mine = before.then(work, work)
  known.set(stream, mine)
  try {
    return await mine
  } finally {
    if (known.get(stream) === mine) known.delete(stream)
  }
}
