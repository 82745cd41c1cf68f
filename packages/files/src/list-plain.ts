/** The plain files below an open folder. */
import { lstat, opendir } from "node:fs/promises"
import { Refusal } from "@parlor/protocol"
import { codeOf } from "./code.ts"
import { type Dir, openDir } from "./dir.ts"
import { stampOf } from "./stamp.ts"

/** As deep as paths may be; deeper files cannot be named anyway. */
const MAX_LEVELS = 20
/** Links, pipes and empty folders cost time too, although they are left out. */
const ENTRIES_PER_FILE = 4

export type ListedFile = {
  readonly path: string
  readonly bytes: number
  readonly modifiedAt: number
  readonly stamp: string | undefined
}

/** Undefined if it is no plain file, or has another name. */
export async function listedAt(at: string, path: string): Promise<ListedFile | "folder" | undefined> {
  const stat = await lstat(at, { bigint: true }).catch(() => undefined)
  if (stat?.isDirectory()) return "folder"
  if (!stat?.isFile() || stat.nlink !== 1n) return undefined
  const modifiedAt = Math.round(Number(stat.mtimeNs) / 1e6)
  return { path, bytes: Number(stat.size), modifiedAt, stamp: stampOf(stat, Date.now()) }
}

/** Parlor's own folder in a workspace: the home of a hosted agent, for example. No path may name it. */
const PRIVATE = /^\.parlor/i

export async function listPlain(
  dir: Dir,
  most: number,
  skip: ReadonlySet<string> = new Set(),
): Promise<readonly ListedFile[]> {
  const files: ListedFile[] = []
  await listFolder(dir, "", 0, { files, most, skip, entries: most * ENTRIES_PER_FILE })
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

type Listing = {
  readonly files: ListedFile[]
  readonly most: number
  readonly skip: ReadonlySet<string>
  entries: number
}

async function listFolder(dir: Dir, prefix: string, level: number, listing: Listing): Promise<void> {
  for await (const entry of await opendir(dir.at())) {
    if (listing.files.length >= listing.most || listing.entries-- <= 0) break
    if (PRIVATE.test(entry.name) || (listing.skip.has(entry.name) && entry.isDirectory())) continue
    const path = prefix + entry.name
    const found = await listedAt(dir.at(entry.name), path)
    if (typeof found === "object") listing.files.push(found)
    if (found !== "folder" || level >= MAX_LEVELS) continue
    const inner = await openUnlessSwapped(dir, entry.name)
    if (inner === undefined) continue
    try {
      await listFolder(inner, `${path}/`, level + 1, listing)
    } finally {
      await inner.close()
    }
  }
  await dir.check()
}

/** A folder may be replaced by a link or removed at this moment: then it is left out. */
async function openUnlessSwapped(dir: Dir, name: string): Promise<Dir | undefined> {
  try {
    return await openDir(dir, name, { make: false })
  } catch (error) {
    if (error instanceof Refusal || codeOf(error) === "EACCES") return undefined
    throw error
  }
}
