/**
 * One at a time per workspace in this process: reading the disk, deciding and updating the disk are one unit of work,
 * or a copy on disk could be misjudged. Other processes have disks of their own.
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
