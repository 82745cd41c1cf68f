/** Deletes a folder with everything in it, following no link, at any depth and with any entry names. */
import { randomBytes } from "node:crypto"
import { lstat, readdir, rename, rmdir, unlink } from "node:fs/promises"
import { type Dir, openDir, unless } from "./dir.ts"

/** Each level holds a handle open. Deeper folders are moved up first. */
const MAX_LEVELS = 32

/** `name` is an entry of `temp`: nobody can reach it there by a known path. */
export async function removeTree(temp: Dir, name: string): Promise<void> {
  const left = [name]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const stat = await lstat(temp.at(next)).catch(unless("ENOENT"))
    if (stat === undefined) continue
    if (stat.isDirectory()) await removeFolder(temp, temp, next, 0, left)
    else await unlink(temp.at(next))
  }
}

async function removeFolder(temp: Dir, parent: Dir, name: string, level: number, left: string[]): Promise<void> {
  const dir = await openDir(parent, name, { make: false })
  if (dir === undefined) return
  try {
    for (const entry of await readdir(dir.at(), { encoding: "buffer" })) {
      const path = Buffer.concat([Buffer.from(`${dir.at()}/`), entry])
      const stat = await lstat(path).catch(unless("ENOENT"))
      if (stat === undefined) continue
      const text = entry.toString("utf8")
      await dir.check()
      if (!stat.isDirectory()) await unlink(path)
      else if (level < MAX_LEVELS && Buffer.from(text, "utf8").equals(entry))
        await removeFolder(temp, dir, text, level + 1, left)
      else {
        const moved = goneName()
        await rename(path, temp.at(moved))
        left.push(moved)
      }
    }
  } finally {
    await dir.close()
  }
  await parent.check()
  await rmdir(parent.at(name))
}

export function goneName(): string {
  return `gone-${randomBytes(12).toString("hex")}`
}
