/**
 * The second half of a rollback that moves files: the disk is updated from the rows, then the row is marked done and
 * the slot is freed (RBK-9). Idempotent, so that it can run again after a crash.
 */
import type { FileRow, RollbackRow, StatusRow, StreamId } from "@parlor/protocol"
import { decide } from "../log/decide.ts"
import type { Owner } from "../log/owner.ts"
import { statusChange } from "../log/state.ts"
import { alone } from "../workspace/alone.ts"
import { blobOf, rowsAt } from "../workspace/change.ts"
import { folderOf, look, putOnDisk, takeOffDisk } from "../workspace/disk.ts"
import type { FileAccess } from "../workspace/file-access.ts"
import { rollbackChange } from "./plan.ts"
import { readRollbacks } from "./target.ts"

export async function finishRollback(node: FileAccess, owner: Owner): Promise<void> {
  const row = await applying(node, owner.stream)
  if (row !== undefined) await followRows(node, owner.stream, row)
  await decide(
    node,
    owner.stream,
    async (state) => {
      const now = await applying(node, owner.stream)
      const status: StatusRow = { ...state.status, state: "idle", busyWith: null, since: node.clock.now() }
      const done = now === undefined ? [] : [rollbackChange({ ...now, state: "done" }, "update")]
      return { answer: undefined, changes: [...done, statusChange(status)] }
    },
    { txid: owner.txid, owner },
  )
}

async function applying(node: FileAccess, stream: StreamId): Promise<RollbackRow | undefined> {
  return (await readRollbacks(node, stream)).find((row) => row.state === "applying")
}

/**
 * The rows are as the rollback left them, or newer. A file on disk is overwritten if Parlor wrote it, or if its content
 * was recorded; later edits by hand stay.
 */
function followRows(node: FileAccess, stream: StreamId, { files }: RollbackRow): Promise<void> {
  return alone(node, stream, async () => {
    const folder = await folderOf(node, stream)
    const rows = await rowsAt(
      node,
      stream,
      files.map(({ path }) => path),
    )
    // Deletions first, to make room: a file may replace a folder.
    const inOrder = [...files].sort((a, b) => Number(rows.has(a.path)) - Number(rows.has(b.path)))
    for (const { path, before } of inOrder) {
      const row: FileRow | undefined = rows.get(path)
      const disk = await look(node, folder, path, row)
      if (disk.kind === "same" || (disk.kind === "hand" && disk.hash !== before)) continue
      if (row !== undefined) await putOnDisk(node, folder, row, await blobOf(node, row.hash))
      else if (disk.kind !== "none") await takeOffDisk(node, folder, path)
    }
  })
}
