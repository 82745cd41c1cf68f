/** What people did on disk since Parlor last wrote there, with its content kept: what a rollback looks at (RBK-5, RBK-7). */
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
  /** What is there now, kept by its hash. Null when it is too large for that: such a file is not to be touched. */
  readonly after: Version | null
  readonly modifiedAt: Millis
}

/**
 * Files on disk that are not as Parlor wrote them, in all the workspace or at these paths. What is being written just
 * now is not taken for one: the disk remembers what Parlor puts there. Ask within `alone` when it is to stay so.
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
