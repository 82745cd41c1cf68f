import type { FileRow, NewChange, StatusRow, StreamId } from "@parlor/protocol"
import type { Ports } from "../ports/ports.ts"
import { filesAt } from "../workspace/at.ts"
import { allRows } from "../workspace/look.ts"

/** The author of a file that differs from the parent's current one. */
const BY_BRANCH = "branch"

/**
 * The files as they were when the message after that number arrived: rows that refer to stored contents, without
 * copying them (WSP-5). `stream` has that message, or would have it.
 */
export async function forkFiles(
  node: Ports,
  stream: StreamId,
  ord: number,
): Promise<{ readonly changes: readonly NewChange[]; readonly status: Partial<StatusRow> }> {
  const files = await filesAt(node, stream, ord + 1)
  if (files.size === 0) return { changes: [], status: {} }
  const now = await allRows(node, stream)
  const at = node.clock.now()
  const rows = [...files].map(([path, { hash, bytes }]): FileRow => {
    const known = now.get(path)
    return known?.hash === hash ? known : { path, hash, bytes, by: BY_BRANCH, turn: null, at }
  })
  const latest = rows.reduce((last, row) => (row.at > last.at ? row : last))
  return {
    changes: rows.map((row) => ({ collection: "files", key: row.path, operation: "insert", row })),
    status: { files: rows.length, latestFile: latest.path },
  }
}
