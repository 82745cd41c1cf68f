/** Edits by hand since Parlor last wrote to disk, with their content stored: what a rollback needs (RBK-5, RBK-7). */
import type { FileRow, Millis, StreamId } from "@parlor/protocol"
import { rowsAt } from "./change.ts"
import { keepContent, type Version } from "./content.ts"
import { folderOf, look } from "./disk.ts"
import type { FileAccess } from "./file-access.ts"
import { allRows, onDisk } from "./look.ts"
import { pathDefect } from "./path.ts"

export type HandEdit = {
  readonly path: string
  /** What Parlor last knew to be there; null for a new file. */
  readonly before: Version | null
  /** The current content, stored by its hash. Null if it is too large for that: such a file must not be touched. */
  readonly after: Version | null
  readonly modifiedAt: Millis
}

/**
 * Files on disk that differ from what Parlor wrote, in the whole workspace or at these paths. A write in progress does
 * not count: the disk records what Parlor writes. Call within `alone` if the result has to stay valid.
 */
export async function handEdits(
  node: FileAccess,
  stream: StreamId,
  paths?: readonly string[],
): Promise<readonly HandEdit[]> {
  const folder = await folderOf(node, stream)
  const rows = paths === undefined ? await allRows(node, stream) : await rowsAt(node, stream, paths)
  const found: HandEdit[] = []
  for (const path of paths ?? (await onDisk(node, folder)).map((file) => file.path)) {
    if (pathDefect(path) !== undefined) continue
    const row = rows.get(path)
    // In a folder of the operator's, files that Parlor never touched are not its business (WSP-8).
    if (row === undefined && folder?.real !== undefined) continue
    const disk = await look(node, folder, path, row)
    if (disk.kind !== "hand" || disk.linked) continue
    const after = disk.content && (await keepContent(node, stream, disk.content))
    found.push({ path, before: row ? versionOf(row) : null, after, modifiedAt: disk.modifiedAt })
  }
  return found
}

function versionOf({ hash, bytes }: FileRow): Version {
  return { hash, bytes }
}
