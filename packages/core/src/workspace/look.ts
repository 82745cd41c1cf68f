/**
 * Reads a workspace: from the disk if it has the file, so that edits by hand are seen at once, otherwise from the
 * store.
 *
 * A file created or edited by hand is listed, read and searched as it is on disk. It is recorded, as a change by `hand`
 * with its content, when something is about to overwrite, delete or move it, or when a rollback reads the state of all
 * files; until then it has no row. A file missing on disk does not count as deleted: it is restored from the store when
 * it is read (WSP-3).
 */
import { type FileRow, limits, parseRow, Refusal, type StreamId } from "@parlor/protocol"
import type { FileContent, FileView } from "../agent/workspace-access.ts"
import type { DiskFile, Folder } from "../ports/files.ts"
import type { Ports } from "../ports/ports.ts"
import { alone } from "./alone.ts"
import { blobOf, rowsAt } from "./change.ts"
import { type Found, folderOf, look, putOnDisk, reasonOf, takeOffDisk } from "./disk.ts"
import type { FileAccess } from "./file-access.ts"
import { checkPath, pathDefect } from "./path.ts"
import { BY_HAND, tooLarge } from "./plan.ts"

/** How many files one list reads to detect edits; beyond that, they are shown as in their rows. */
const LIST_LOOKS = 200

export async function readFile(node: FileAccess, stream: StreamId, path: string): Promise<FileContent> {
  checkPath(path)
  const folder = await folderOf(node, stream)
  const row = await rowAt(node, stream, path)
  return shownOf(path, row, await look(node, folder, path, row)) ?? (await comeBack(node, stream, folder, path))
}

/** Sorted by path. `rows`: if they were already read. */
export async function listFiles(
  node: FileAccess,
  stream: StreamId,
  rows?: ReadonlyMap<string, FileRow>,
): Promise<readonly FileView[]> {
  return withDisk(node, await folderOf(node, stream), rows ?? (await allRows(node, stream)))
}

async function withDisk(
  node: FileAccess,
  folder: Folder | undefined,
  rows: ReadonlyMap<string, FileRow>,
): Promise<readonly FileView[]> {
  const views = new Map<string, FileView>(rows)
  let looks = 0
  const listed = await onDisk(node, folder)
  if (folder?.real !== undefined) {
    const there = new Set(listed.map(({ path }) => path))
    for (const path of rows.keys()) if (!there.has(path)) views.delete(path)
  }
  for (const file of listed) {
    const row = rows.get(file.path)
    const isSame = row?.bytes === file.bytes && row.at === file.modifiedAt
    if (isSame || pathDefect(file.path) !== undefined) continue
    if (row === undefined && file.written.length === 0) views.set(file.path, handView(file, null))
    else if (looks++ < LIST_LOOKS) {
      const found = await look(node, folder, file.path, row)
      if (found.kind === "hand" && !found.linked) views.set(file.path, handView(file, found.hash))
    }
  }
  return [...views.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** The file at a path, without restoring anything on disk. Undefined if it is not a readable file now. */
export async function peekFile(
  node: FileAccess,
  folder: Folder | undefined,
  path: string,
  row: FileRow | undefined,
): Promise<Uint8Array | undefined> {
  try {
    const found = await look(node, folder, path, row)
    if (found.kind === "same") return found.content
    if (found.kind === "hand" && !found.linked) return found.content ?? undefined
    return row && (await node.store.blobs.get(row.hash))
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

export async function allRows({ store }: Ports, stream: StreamId): Promise<ReadonlyMap<string, FileRow>> {
  const list = (await store.log.read(stream, [{ collection: "files" }]))?.lists[0] ?? []
  return new Map(list.map((row) => [row.key, parseRow("files", row.value)]))
}

export async function onDisk(node: FileAccess, folder: Folder | undefined): Promise<readonly DiskFile[]> {
  if (node.files === undefined || folder === undefined) return []
  try {
    return await node.files.list(folder, limits.workspaceFiles)
  } catch (error) {
    if (error instanceof Refusal) throw error
    node.log.warn("the disk cannot be listed", { agent: folder.agent, reason: reasonOf(error) })
    return []
  }
}

export function unknownFile(path: string): Refusal {
  return new Refusal("file.unknown", `There is no file ${JSON.stringify(path)}.`)
}

/** Reads again, now that nobody changes it, and updates the disk from the row. */
function comeBack(node: FileAccess, stream: StreamId, folder: Folder | undefined, path: string): Promise<FileContent> {
  return alone(node, stream, async () => {
    const row = await rowAt(node, stream, path)
    const found = await look(node, folder, path, row)
    const shown = shownOf(path, row, found)
    if (shown !== undefined) return shown
    if (row === undefined) {
      if (found.kind === "stale") await takeOffDisk(node, folder, path)
      throw unknownFile(path)
    }
    // In a folder of the operator's, a missing file was deleted.
    if (folder?.real !== undefined) throw unknownFile(path)
    const content = await blobOf(node, row.hash)
    await putOnDisk(node, folder, row, content)
    return { ...row, content }
  })
}

/** Undefined if the disk does not have the current content. */
function shownOf(path: string, row: FileRow | undefined, found: Found): FileContent | undefined {
  if (found.kind === "same" && row !== undefined) return { ...row, content: found.content }
  if (found.kind !== "hand") return undefined
  if (found.linked)
    throw new Refusal(
      "file.not-plain",
      `${path} has another name on disk (a hard link) and was not written by Parlor. It may be a file from outside, ` +
        "so it is not read. Replace it with a copy.",
    )
  const { content, hash, bytes, modifiedAt } = found
  if (content === null || hash === null) throw tooLarge(path, bytes)
  return { path, content, hash, bytes, by: BY_HAND, turn: null, at: modifiedAt }
}

function handView({ path, bytes, modifiedAt }: DiskFile, hash: string | null): FileView {
  return { path, bytes, hash, by: BY_HAND, turn: null, at: modifiedAt }
}

async function rowAt(node: FileAccess, stream: StreamId, path: string): Promise<FileRow | undefined> {
  return (await rowsAt(node, stream, [path])).get(path)
}
