/**
 * The copy of a folder that a command works on, and the way back (SBX-3).
 *
 *   folder ──stage──▶ copy ──command──▶ copy ──putBack──▶ folder
 *
 * The command never has the folder itself, so that links, locks and half-written files of its cannot do harm there, and
 * nothing arrives if it is stopped. Only plain files come back, and only those it changed. A file that somebody changed
 * in the folder meanwhile is theirs: it stays. `.git` is there to be read, and never comes back, because its hooks and
 * settings would be run by people's own programs.
 */
import { constants } from "node:fs"
import {
  chmod,
  chown,
  copyFile,
  lstat,
  mkdir,
  opendir,
  readlink,
  rename,
  rm,
  rmdir,
  symlink,
  utimes,
} from "node:fs/promises"
import { dirname, join } from "node:path"

const MAX_ENTRIES = 50_000
const MAX_LEVELS = 40
const OWN_MODE = 0o700
const NEVER_BACK = /^(\.git|\.parlor.*)$/i
const NOT_COPIED = /^\.parlor/i
const PART = ".parlor-part"

type Stamp = { readonly size: bigint; readonly mtimeNs: bigint; readonly ino: bigint }

export type Staged = {
  /** What was in the copy before the command, by path. */
  readonly copied: ReadonlyMap<string, Stamp | "folder" | "link">
  /** The same files in the folder. */
  readonly originals: ReadonlyMap<string, Stamp>
}

export type Left = { readonly path: string; readonly why: string }

/** `owner`: who the copy belongs to, if not the server's user. Throws if the folder is larger than `maxBytes`. */
export async function stage(
  folder: string,
  copy: string,
  options: { readonly maxBytes: number; readonly owner: number | undefined; readonly signal: AbortSignal },
): Promise<Staged> {
  const copied = new Map<string, Stamp | "folder" | "link">()
  const originals = new Map<string, Stamp>()
  let bytes = 0n
  const give = async (path: string) => {
    if (options.owner !== undefined) await chown(path, options.owner, options.owner)
  }
  for await (const { path, kind, stamp, mode } of walk(folder, NOT_COPIED)) {
    options.signal.throwIfAborted()
    const [from, to] = [join(folder, path), join(copy, path)]
    if (copied.size >= MAX_ENTRIES)
      throw new Error(`The workspace has more than ${MAX_ENTRIES} files and folders, too many to run commands in it.`)
    if (kind === "folder") {
      await mkdir(to, OWN_MODE)
      copied.set(path, "folder")
      await give(to)
    } else if (kind === "link") {
      await symlink(await readlink(from), to)
      copied.set(path, "link")
    } else if (kind === "file") {
      bytes += stamp.size
      if (bytes > options.maxBytes)
        throw new Error(`The workspace has more than ${options.maxBytes} bytes, too much to run commands in it.`)
      await copyFile(from, to, constants.COPYFILE_FICLONE)
      await chmod(to, (mode & 0o777) | 0o600)
      await give(to)
      const time = Number(stamp.mtimeNs) / 1e9
      await utimes(to, time, time)
      originals.set(path, stamp)
      copied.set(path, stampOf(await lstat(to, { bigint: true })))
    }
  }
  return { copied, originals }
}

/** Puts what the command changed into the folder: all of it, or nothing if it is too much. Its processes have ended. */
export async function putBack(
  folder: string,
  copy: string,
  { copied, originals }: Staged,
  options: { readonly maxBytes: number },
): Promise<readonly Left[]> {
  const left: Left[] = []
  const there = new Map<string, Entry["kind"]>()
  const changed: string[] = []
  let bytes = 0n
  for await (const { path, kind, stamp } of walk(copy, NEVER_BACK)) {
    if (there.size >= MAX_ENTRIES * 2) return [{ path: "all files", why: "there are too many" }]
    there.set(path, kind)
    const before = copied.get(path)
    if (kind === "link" && before !== "link") left.push({ path, why: "links are not kept" })
    if (kind !== "file" || (typeof before === "object" && isSame(before, stamp))) continue
    bytes += stamp.size
    if (bytes > options.maxBytes) return [{ path: "all files", why: `more than ${options.maxBytes} bytes` }]
    changed.push(path)
  }
  for (const path of originals.keys())
    if (isGone(there.get(path)) && !isKept(path) && !(await remove(folder, path, originals.get(path))))
      left.push({ path, why: CHANGED })
  for (const path of [...copied.keys()].reverse())
    if (copied.get(path) === "folder" && there.get(path) !== "folder" && !isKept(path))
      await rmdir(join(folder, path)).catch(() => {})
  for (const path of changed) {
    const why = await put(folder, copy, path, originals.get(path))
    if (why !== undefined) left.push({ path, why })
  }
  return left
}

/** What a folder takes on disk, up to a number of entries. */
export async function diskUse(folder: string): Promise<{ readonly bytes: number; readonly entries: number }> {
  let bytes = 0
  let entries = 0
  for await (const { blocks } of walk(folder)) {
    bytes += blocks * 512
    if (++entries > MAX_ENTRIES * 2) break
  }
  return { bytes, entries }
}

const CHANGED = "it was changed by somebody else while the command ran"

async function put(
  folder: string,
  copy: string,
  path: string,
  original: Stamp | undefined,
): Promise<string | undefined> {
  const to = join(folder, path)
  if (!(await isUntouched(to, original))) return CHANGED
  if (!(await makeFolders(folder, dirname(path)))) return "a file or a link is in the way"
  const part = join(dirname(to), `${PART}-${process.pid}-${Date.now()}`)
  try {
    const { mode } = await lstat(join(copy, path))
    await copyFile(join(copy, path), part, constants.COPYFILE_EXCL)
    // The file belongs to the server's user now: no other right of the command's file may come with it.
    await chmod(part, (mode & 0o100) === 0 ? 0o600 : 0o700)
    await rename(part, to)
    return undefined
  } catch (error) {
    await rm(part, { force: true })
    const { code } = error as { readonly code?: string }
    return `it could not be written (${code ?? "error"})`
  }
}

async function remove(folder: string, path: string, original: Stamp | undefined): Promise<boolean> {
  const place = join(folder, path)
  if (!(await isUntouched(place, original))) return false
  await rm(place, { force: true })
  return true
}

/** Whether a place in the folder is as it was copied: the same file, or nothing. */
async function isUntouched(place: string, original: Stamp | undefined): Promise<boolean> {
  const now = await lstat(place, { bigint: true }).catch(() => undefined)
  if (now === undefined) return true
  return original !== undefined && now.isFile() && isSame(stampOf(now), original)
}

/** Never through a link. */
async function makeFolders(folder: string, path: string): Promise<boolean> {
  if (path === ".") return true
  if (!(await makeFolders(folder, dirname(path)))) return false
  const place = join(folder, path)
  await mkdir(place, OWN_MODE).catch(() => {})
  return (await lstat(place).catch(() => undefined))?.isDirectory() ?? false
}

/** A file that became a folder is gone; one that became a link, which does not come back, is not. */
function isGone(kind: Entry["kind"] | undefined): boolean {
  return kind === undefined || kind === "folder"
}

function isKept(path: string): boolean {
  return path.split("/").some((step) => NEVER_BACK.test(step))
}

type Entry = {
  readonly path: string
  readonly kind: "file" | "folder" | "link" | "other"
  readonly stamp: Stamp
  readonly mode: number
  readonly blocks: number
}

/** Folders come before what is in them. Links are not followed. */
async function* walk(root: string, skip?: RegExp, prefix = "", level = 0): AsyncGenerator<Entry> {
  if (level > MAX_LEVELS) return
  const folder = join(root, prefix)
  // The command may have taken its own rights away.
  const dir = await opendir(folder).catch(() =>
    chmod(folder, OWN_MODE)
      .then(() => opendir(folder))
      .catch(() => undefined),
  )
  if (dir === undefined) return
  for await (const { name } of dir) {
    if (skip?.test(name)) continue
    const path = prefix === "" ? name : `${prefix}/${name}`
    const stat = await lstat(join(root, path), { bigint: true }).catch(() => undefined)
    if (stat === undefined) continue
    const kind = stat.isFile() ? "file" : stat.isDirectory() ? "folder" : stat.isSymbolicLink() ? "link" : "other"
    yield { path, kind, stamp: stampOf(stat), mode: Number(stat.mode), blocks: Number(stat.blocks) }
    if (kind === "folder") yield* walk(root, skip, path, level + 1)
  }
}

function stampOf({ size, mtimeNs, ino }: Stamp): Stamp {
  return { size, mtimeNs, ino }
}

function isSame(a: Stamp, b: Stamp): boolean {
  return a.size === b.size && a.mtimeNs === b.mtimeNs && a.ino === b.ino
}
