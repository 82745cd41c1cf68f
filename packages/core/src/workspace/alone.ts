/**
 * One at a time for each workspace in this process: looking at the disk, deciding, and putting the disk in order are
 * one piece of work, or a copy on disk could be taken for something it is not. Other processes have disks of their own.
 */
import type { StreamId } from "@parlor/protocol"
import type { FileAccess } from "./file-access.ts"

export async function alone<T>({ workspaces }: FileAccess, stream: StreamId, work: () => Promise<T>): Promise<T> {
  const { tails } = workspaces
  const before = tails.get(stream) ?? Promise.resolve()
  const mine = before.then(work, work)
  tails.set(stream, mine)
  try {
    return await mine
  } finally {
    if (tails.get(stream) === mine) tails.delete(stream)
  }
}
