/** The plain files below an open folder. */
import { lstat, opendir } from "node:fs/promises"
import { Refusal } from "@parlor/protocol"
import { codeOf } from "./code.ts"
import { type Dir, openDir } from "./dir.ts"

/** As deep as paths may be; deeper files cannot be named anyway. */
const MAX_LEVELS = 20
/** Links, pipes and empty folders cost time too, although they are left out. */
const ENTRIES_PER_FILE = 4

export type ListedFile = { readonly path: string; readonly bytes: number; readonly modifiedAt: number }

export async function listPlain(dir: Dir, most: number): Promise<readonly ListedFile[]> {
  const files: ListedFile[] = []
  await listFolder(dir, "", 0, { files, most, entries: most * ENTRIES_PER_FILE })
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

type Listing = { readonly files: ListedFile[]; readonly most: number; entries: number }

async function listFolder(dir: Dir, prefix: string, level: number, listing: Listing): Promise<void> {
  for await (const entry of await opendir(dir.at())) {
    if (listing.files.length >= listing.most || listing.entries-- <= 0) break
    const path = prefix + entry.name
    const stat = await lstat(dir.at(entry.name)).catch(() => undefined)
    if (stat?.isFile() && stat.nlink === 1)
      listing.files.push({ path, bytes: stat.size, modifiedAt: Math.round(stat.mtimeMs) })
    if (!stat?.isDirectory() || level >= MAX_LEVELS) continue
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
