/**
 * Files of a folder of the operator's that Parlor has not touched, as they were before programs worked there (WSP-8).
 *
 * They have no rows: a repository has thousands of files, and an agent changes a few. Their content is stored, so that
 * a file that a program then changes or deletes can be restored. A second look reads only files whose stamp has changed
 * since.
 */
import { limits, Refusal, type StreamId } from "@parlor/protocol"
import type { DiskFile, Folder } from "../ports/files.ts"
import { keepContent, type Version } from "./content.ts"
import { look } from "./disk.ts"
import type { FileAccess } from "./file-access.ts"
import { pathDefect } from "./path.ts"

const KEPT_BASELINES = 100

type Before = Version & { readonly stamp: string | undefined }

/** `files`: those on disk without a row. Throws if they are more than can be stored. */
export async function takeBaseline(
  node: FileAccess,
  stream: StreamId,
  folder: Folder,
  files: readonly DiskFile[],
): Promise<void> {
  const { baselines } = node.workspaces
  const known: ReadonlyMap<string, Before> = baselines.get(stream) ?? new Map()
  const next = new Map<string, Before>()
  let bytes = 0
  for (const file of files) {
    // A file that is too large to be stored is not restored either; it is named when a program changes it.
    if (file.bytes > limits.fileBytes || pathDefect(file.path) !== undefined) continue
    bytes += file.bytes
    if (bytes > limits.workspaceBytes)
      throw new Refusal(
        "workspace.full",
        `The folder has more than ${limits.workspaceBytes} bytes in files that git does not ignore. Programs cannot work in it, because their changes could not be undone.`,
      )
    const before = known.get(file.path)
    const isKnown = file.stamp !== undefined && before?.stamp === file.stamp
    const version = isKnown ? before : await contentOf(node, stream, folder, file)
    if (version !== undefined) next.set(file.path, version)
  }
  if (!baselines.has(stream) && baselines.size >= KEPT_BASELINES) baselines.clear()
  baselines.set(stream, next)
}

export function tooManyFiles(): Refusal {
  return new Refusal(
    "workspace.full",
    `The folder has more than ${limits.workspaceFiles} files that git does not ignore. Programs cannot work in it, because their changes could not be undone.`,
  )
}

async function contentOf(
  node: FileAccess,
  stream: StreamId,
  folder: Folder,
  { path, stamp }: DiskFile,
): Promise<Before | undefined> {
  const disk = await look(node, folder, path, undefined)
  if (disk.kind !== "hand" || disk.content === null || disk.linked) return undefined
  return { ...(await keepContent(node, stream, disk.content)), stamp }
}
