/**
 * The working copy on disk beside the record in the store (WSP-3).
 *
 *   disk is as its row says ───────────────▶ same
 *   nothing there ─────────────────────────▶ none     comes back from the store when looked at
 *   what Parlor wrote or recorded there ───▶ stale    not as the row says: updated from the store when looked at
 *   anything else ─────────────────────────▶ hand     is what people see; recorded before it is overwritten
 *
 * The store is the record: a disk failure is logged and loses no file. Anything rejected (a link, a device, a folder in
 * place of a file) is rejected before anything is decided.
 */
import { type Address, Fault, type FileRow, limits, Refusal, type StreamId } from "@parlor/protocol"
import type { DiskContent, Files, Folder } from "../ports/files.ts"
import { hashOf } from "./content.ts"
import type { FileAccess } from "./file-access.ts"

export type Found =
  | { readonly kind: "none" | "stale" }
  | { readonly kind: "same"; readonly content: Uint8Array }
  | {
      readonly kind: "hand"
      /** Null, like its hash, if it is too large to be stored. */
      readonly content: Uint8Array | null
      readonly hash: string | null
      readonly bytes: number
      readonly modifiedAt: number
      readonly linked: boolean
    }

/** The folder of the conversation's files; undefined if there is no disk, or nothing was ever written to it. */
export async function folderOf(node: FileAccess, stream: StreamId): Promise<Folder | undefined> {
  if (node.files === undefined) return undefined
  const { folders } = node.workspaces
  const folder = folders.get(stream) ?? (await findFolder(node, stream))
  if (folder !== undefined) folders.set(stream, folder)
  if (folders.size > CACHED_FOLDERS) folders.clear()
  const real = folder && node.realFolder?.(folder.agent)
  return folder === undefined || real === undefined ? folder : { ...folder, real }
}

export async function look(
  node: FileAccess,
  folder: Folder | undefined,
  path: string,
  row: FileRow | undefined,
): Promise<Found> {
  const disk = await readDisk(node, folder, path)
  if (disk === undefined) return { kind: "none" }
  const { content, bytes, modifiedAt, linked } = disk
  const hash = content && (await hashOf(content))
  if (content !== undefined && hash === row?.hash) return { kind: "same", content }
  if (hash !== undefined && disk.written.includes(hash)) return { kind: "stale" }
  return { kind: "hand", content: content ?? null, hash: hash ?? null, bytes, modifiedAt, linked }
}

/** These two update the disk from the rows, and are the only writers of files. There must be no edits by hand at the path. */
export function putOnDisk(
  node: FileAccess,
  folder: Folder | undefined,
  row: FileRow,
  content: Uint8Array,
): Promise<void> {
  return logFailure(node, folder, (files, place) =>
    files.write(place, row.path, content, { hash: row.hash, at: row.at }),
  )
}

export function takeOffDisk(node: FileAccess, folder: Folder | undefined, path: string): Promise<void> {
  return logFailure(node, folder, (files, place) => files.remove(place, path))
}

/**
 * What others wrote there, or removed (null), is in the rows now. From here on such a copy is stale when its row changes,
 * like one that Parlor wrote, so it is updated and not recorded a second time (WSP-7).
 */
export async function adopt(
  node: FileAccess,
  folder: Folder | undefined,
  recorded: Iterable<readonly [path: string, content: Pick<FileRow, "hash"> | null]>,
): Promise<void> {
  for (const [path, content] of recorded)
    await logFailure(node, folder, (files, place) => files.adopt(place, path, content?.hash ?? null))
}

/** Deletes the folder with everything in it, when its conversation is deleted (SEC-11). */
export async function clearFolder(node: FileAccess, stream: StreamId): Promise<void> {
  const folder = await folderOf(node, stream)
  if (folder === undefined || node.files === undefined) return
  try {
    await node.files.clear(folder)
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Fault(`The files cannot be deleted: ${reasonOf(error)}.`, { cause: error })
  }
}

async function logFailure(
  { files, log }: FileAccess,
  folder: Folder | undefined,
  work: (files: Files, folder: Folder) => Promise<void>,
): Promise<void> {
  if (files === undefined || folder === undefined) return
  try {
    await work(files, folder)
  } catch (error) {
    log.warn("could not update the disk", { agent: folder.agent, reason: reasonOf(error) })
  }
}

const CACHED_FOLDERS = 10_000

/** The transaction id of the first event is unique to this conversation, even if another has the same address later. */
async function findFolder(node: FileAccess, stream: StreamId): Promise<Folder | undefined> {
  const read = await node.store.log.read(stream, [])
  const first = (await node.store.log.events(stream, 0, { count: 1, bytes: 1 }))?.changes[0]
  if (read?.stream.key.kind !== "conversation" || first === undefined) return undefined
  const { agent, person, branch }: Address = read.stream.key
  return { agent, person, branch, life: first.txid }
}

async function readDisk(node: FileAccess, folder: Folder | undefined, path: string): Promise<DiskContent | undefined> {
  if (node.files === undefined || folder === undefined) return undefined
  try {
    return await node.files.read(folder, path, { most: limits.fileBytes })
  } catch (error) {
    if (error instanceof Refusal) throw error
    node.log.warn("the disk cannot be read", { agent: folder.agent, reason: reasonOf(error) })
    return undefined
  }
}

/** Only the error code: a disk's messages contain paths, and paths are people's text. */
export function reasonOf(error: unknown): string {
  if (error instanceof Refusal) return error.code
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown }
  return String(code ?? name ?? typeof error)
}
