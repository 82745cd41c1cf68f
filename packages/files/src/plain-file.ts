/** Reads and replaces plain files in an open folder. */
import { randomBytes } from "node:crypto"
import { constants, type Stats } from "node:fs"
import { chmod, type FileHandle, lstat, open, rename, unlink } from "node:fs/promises"
import { Refusal } from "@parlor/protocol"
import { codeOf } from "./code.ts"
import { type Dir, unless } from "./dir.ts"

const O_NOFOLLOW = constants.O_NOFOLLOW ?? 0
/** Opening a pipe would wait for its other end. */
const O_NONBLOCK = constants.O_NONBLOCK ?? 0
const FILE_MODE = 0o600
/** Never listed: `list-plain.ts` leaves such names out. */
const PART_NAME = ".parlor-new-"
const CHUNK_BYTES = 256 * 1024

export type PlainFile = {
  /** Undefined if it is larger than requested. */
  readonly content: Buffer | undefined
  readonly bytes: number
  readonly modifiedAt: number
  readonly linked: boolean
}

export async function readPlain(dir: Dir, name: string, most: number): Promise<PlainFile | undefined> {
  const seen = await lstat(dir.at(name)).catch(unless("ENOENT"))
  if (seen === undefined) return undefined
  refuseUnlessFile(seen, name)
  const handle = await openPlain(dir, name)
  if (handle === undefined) return undefined
  try {
    const stat = await handle.stat()
    refuseUnlessFile(stat, name)
    await dir.check()
    const content = stat.size > most ? undefined : await readUpTo(handle, most)
    const bytes = content?.length ?? stat.size
    return { content, bytes, modifiedAt: Math.round(stat.mtimeMs), linked: stat.nlink > 1 }
  } finally {
    await handle.close()
  }
}

/**
 * Replaces a file: the new one is written and synced under another name in `temp`, then moved. Nothing is written into
 * a file that has other names, and a link in its place is replaced, never followed. `ready` is called between the two.
 */
export async function replacePlain(
  dir: Dir,
  name: string,
  content: Uint8Array,
  options: {
    readonly temp: Dir
    readonly at: number
    readonly ready: () => Promise<void>
    /** The rights of new files. A file that is replaced keeps its own. Without it, only the server may read files. */
    readonly mode?: number
  },
): Promise<void> {
  const { temp } = options
  const part = `${PART_NAME}${randomBytes(12).toString("hex")}`
  const handle = await open(
    temp.at(part),
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | O_NOFOLLOW,
    FILE_MODE,
  )
  try {
    try {
      await handle.writeFile(content)
      await handle.utimes(options.at / 1_000, options.at / 1_000)
      await handle.sync()
    } finally {
      await handle.close()
    }
    const there = await lstat(dir.at(name)).catch(unless("ENOENT"))
    if (there !== undefined) refuseUnlessFile(there, name)
    if (options.mode !== undefined) await chmod(temp.at(part), (there?.mode ?? options.mode) & 0o777)
    await options.ready()
    await dir.check()
    await rename(temp.at(part), dir.at(name))
    await dir.check()
  } catch (error) {
    await unlink(temp.at(part)).catch(unless("ENOENT"))
    throw error
  }
  await dir.sync()
}

export function refuseUnlessFile(stat: Stats, name: string): void {
  if (stat.isFile()) return
  const shown = JSON.stringify(name)
  if (stat.isDirectory()) throw new Refusal("file.clash", `${shown} is a folder on disk.`)
  throw notPlain(shown, stat.isSymbolicLink() ? "a link" : "a device, a pipe or a socket")
}

async function openPlain(dir: Dir, name: string): Promise<FileHandle | undefined> {
  try {
    return await open(dir.at(name), constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch (error) {
    const code = codeOf(error)
    if (code === "ENOENT") return undefined
    if (code === "ELOOP") throw notPlain(JSON.stringify(name), "a link")
    if (code === "EACCES" || code === "EPERM" || code === "ENXIO")
      throw notPlain(JSON.stringify(name), "something that cannot be read")
    throw error
  }
}

function notPlain(shown: string, what: string): Refusal {
  return new Refusal("file.not-plain", `${shown} is ${what} on disk. Only plain files are supported.`)
}

/** Undefined if there is more than that: the file may have grown in the meantime. */
async function readUpTo(handle: FileHandle, most: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, null)
    if (bytesRead === 0) return Buffer.concat(chunks, bytes)
    bytes += bytesRead
    if (bytes > most) return undefined
    chunks.push(chunk.subarray(0, bytesRead))
  }
}
