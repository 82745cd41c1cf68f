/**
 * The files port on a disk (WSP-1).
 *
 *   root/<person>/<agent>/<branch>~<life>/…   the files of one conversation
 *   a folder of the operator's                the files of all conversations with an agent (WSP-8)
 *   root/.parlor/temp                         what is being written or deleted
 *   root/.parlor/written                      what was written where
 *
 * Every operation walks down from the root, one folder at a time, and holds the folder it works in. No part of a path
 * is a link, files are never written in place, and only plain files are read. One process uses a root at a time.
 */
import { constants } from "node:fs"
import { lstat, mkdir, open, readdir, rename, rmdir, stat, unlink } from "node:fs/promises"
import { join, resolve } from "node:path"
import type { DiskFile, Files, Folder } from "@parlor/core"
import { Refusal } from "@parlor/protocol"
import { type Dir, openRoot, openWay, unless } from "./dir.ts"
import { gitFiles } from "./git-files.ts"
import { type ListedFile, listedAt, listPlain } from "./list-plain.ts"
import { folderName, nameOfFolder } from "./name.ts"
import { readPlain, refuseUnlessFile, replacePlain } from "./plain-file.ts"
import { goneName, removeTree } from "./remove-tree.ts"
import { Written } from "./written.ts"

export type FilesOptions = {
  readonly root: string
  /** Whether entries are named through open handles; detected if omitted. */
  readonly handles?: boolean
}

/** New files in a folder of the operator's. */
const REAL_MODE = 0o644
const INSTALLED: ReadonlySet<string> = new Set([".git", "node_modules", ".venv", "__pycache__"])
/** In the conversation's own folder; `list-plain.ts` leaves it out. */
const HOME = ".parlor"
const TEMP = [".parlor", "temp"]
const WRITTEN = [".parlor", "written"]

export function openFiles(options: FilesOptions): Files {
  const written = new Written()
  let prepared: Promise<boolean> | undefined
  const within = async <T>(work: (root: Dir) => Promise<T>): Promise<T> => {
    prepared ??= prepare(options)
    prepared.catch(() => {
      prepared = undefined
    })
    const handles = await prepared
    return holding(await openRoot(options.root, { handles }), work)
  }
  /** The folder itself: below the root, or a folder of the operator's, which is never created. */
  const inFolder = async <T>(
    root: Dir,
    { real }: Folder,
    steps: readonly string[],
    work: (dir: Dir) => Promise<T>,
    { make }: { readonly make: boolean },
  ): Promise<T | undefined> => {
    const open = make ? making : inside
    if (real === undefined) return open(root, steps, work)
    const handles = (await prepared) ?? false
    return holding(await openRoot(real, { handles, make: false }), (dir) =>
      steps.length > 0 || !make ? open(dir, steps, work) : work(dir),
    )
  }
  return {
    read: (folder, path, { most }) =>
      within(async (root) => {
        const { steps, name } = split(folder, path)
        const file = await inFolder(root, folder, steps, (dir) => readPlain(dir, name, most), { make: false })
        if (file === undefined) return undefined
        const hashes = await making(root, WRITTEN, (place) => written.hashes(place, folder, path))
        return { ...file, path, written: hashes }
      }),
    write: (folder, path, content, { hash, at }) =>
      within((root) =>
        making(root, WRITTEN, (place) =>
          making(root, TEMP, async (temp) => {
            const { steps, name } = split(folder, path)
            const ready = () => written.begin(place, folder, path, hash)
            const { real } = folder
            const put = (dir: Dir) =>
              replacePlain(
                dir,
                name,
                content,
                real === undefined ? { temp, at, ready } : { temp: dir, at, ready, mode: REAL_MODE },
              )
            await inFolder(root, folder, steps, put, { make: true })
            await written.end(place, folder, path)
          }),
        ),
      ),
    remove: (folder, path) =>
      within((root) =>
        making(root, WRITTEN, async (place) => {
          await written.begin(place, folder, path, null)
          const { steps, name } = split(folder, path)
          await inFolder(root, folder, steps, (dir) => removeFrom(dir, name), { make: false })
          if (folder.real === undefined) await removeEmpty(root, steps, stepsOf(folder).length)
          await written.end(place, folder, path)
        }),
      ),
    list: (folder, most, { skip } = {}) =>
      within(async (root) => {
        const files =
          folder.real === undefined ? await listOwn(root, folder, most, skip) : await listReal(folder.real, most)
        return making(root, WRITTEN, async (place) => {
          const listed: DiskFile[] = []
          for (const file of files) listed.push({ ...file, written: await written.hashes(place, folder, file.path) })
          return listed
        })
      }),
    place: (folder) =>
      within((root) =>
        making(root, stepsOf(folder), async () => {
          const own = resolve(options.root, ...stepsOf(folder))
          return { folder: folder.real ?? own, home: join(own, HOME) }
        }),
      ),
    adopt: (folder, path, hash) =>
      within((root) =>
        making(root, WRITTEN, async (place) => {
          await written.begin(place, folder, path, hash)
          await written.end(place, folder, path)
        }),
      ),
    clear: (folder) =>
      within(async (root) => {
        // A folder of the operator's outlives its conversations.
        await making(root, TEMP, (temp) => clearFolder(root, temp, folder))
        await making(root, WRITTEN, (place) => written.forget(place, folder))
      }),
    clearPerson: (person) =>
      within(async (root) => {
        const folders = await foldersOf(root, person)
        await making(root, TEMP, (temp) => clearSteps(root, temp, [folderName(person)]))
        await making(root, WRITTEN, async (place) => {
          for (const folder of folders) await written.forget(place, folder)
        })
      }),
  }
}

/** Deletes what a killed process left half done. Returns whether handles can be used. */
async function prepare(options: FilesOptions): Promise<boolean> {
  const handles = options.handles ?? (await namesThroughHandles(options.root))
  await holding(await openRoot(options.root, { handles }), (root) =>
    making(root, TEMP, async (temp) => {
      for (const name of await readdir(temp.at())) await removeTree(temp, name)
    }),
  )
  return handles
}

async function namesThroughHandles(root: string): Promise<boolean> {
  if (process.platform !== "linux") return false
  await mkdir(root, { recursive: true, mode: 0o700 })
  const handle = await open(root, constants.O_RDONLY)
  try {
    const [through, own] = [await stat(`/proc/self/fd/${handle.fd}/.`), await handle.stat()]
    return through.ino === own.ino && through.dev === own.dev
  } catch {
    return false
  } finally {
    await handle.close()
  }
}

async function removeFrom(dir: Dir, name: string): Promise<void> {
  const there = await lstat(dir.at(name)).catch(unless("ENOENT"))
  if (there === undefined) return
  refuseUnlessFile(there, name)
  await dir.check()
  await unlink(dir.at(name)).catch(unless("ENOENT"))
  await dir.sync()
}

async function listOwn(root: Dir, folder: Folder, most: number, skip: ReadonlySet<string> | undefined) {
  return (await inside(root, stepsOf(folder), (dir) => listPlain(dir, most, skip))) ?? []
}

/** Without what git ignores; outside of a repository, without what programs install. */
async function listReal(folder: string, most: number): Promise<readonly ListedFile[]> {
  const paths = await gitFiles(folder)
  if (paths === undefined)
    return holding(await openRoot(folder, { handles: false, make: false }), (dir) => listPlain(dir, most, INSTALLED))
  const files: ListedFile[] = []
  for (const path of paths) {
    if (files.length >= most) break
    const found = await listedAt(join(folder, path), path)
    if (typeof found === "object") files.push(found)
  }
  return files.sort((x, y) => (x.path < y.path ? -1 : 1))
}

/** Removes empty folders from the innermost up; `keep` levels stay. */
async function removeEmpty(root: Dir, steps: readonly string[], keep: number): Promise<void> {
  for (let length = steps.length; length > keep; length--) {
    const name = steps[length - 1] ?? ""
    const isGone = await inside(root, steps.slice(0, length - 1), async (parent) => {
      await parent.check()
      const gone = rmdir(parent.at(name)).then(() => true)
      return gone.catch(unless("ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR"))
    })
    if (isGone !== true) return
  }
}

/** Moved away first, then deleted: nobody can interfere while that is in progress. */
function clearFolder(root: Dir, temp: Dir, folder: Folder): Promise<void> {
  return clearSteps(root, temp, stepsOf(folder))
}

async function clearSteps(root: Dir, temp: Dir, steps: readonly string[]): Promise<void> {
  const name = steps.at(-1) ?? ""
  const gone = goneName()
  await inside(root, steps.slice(0, -1), async (parent) => {
    await parent.check()
    await rename(parent.at(name), temp.at(gone)).catch(unless("ENOENT"))
  })
  await removeTree(temp, gone)
  await removeEmpty(root, steps.slice(0, -1), 0)
}

/** As far as folder names identify the person: very long ones do not. */
async function foldersOf(root: Dir, person: string): Promise<readonly Folder[]> {
  const folders: Folder[] = []
  const names = async (steps: readonly string[]) => (await inside(root, steps, (dir) => readdir(dir.at()))) ?? []
  for (const agentFolder of await names([folderName(person)]))
    for (const place of await names([folderName(person), agentFolder])) {
      const [agent, branch, life] = [agentFolder, ...place.split("~")].map(nameOfFolder)
      if (agent !== undefined && branch !== undefined && life !== undefined)
        folders.push({ person, agent, branch, life })
    }
  return folders
}

function stepsOf({ person, agent, branch, life }: Folder): readonly string[] {
  return [folderName(person), folderName(agent), `${folderName(branch)}~${folderName(life)}`]
}

function split(folder: Folder, path: string): { readonly steps: readonly string[]; readonly name: string } {
  const steps = path.split("/")
  const name = steps.pop() ?? ""
  if (folder.real === undefined) return { steps: [...stepsOf(folder), ...steps], name }
  if ([...steps, name].some((step) => step.toLowerCase() === ".git"))
    throw new Refusal("file.not-plain", "The repository's own folder, .git, is not part of the workspace.")
  return { steps, name }
}

/** Undefined if one of the folders does not exist. */
async function inside<T>(from: Dir, steps: readonly string[], work: (dir: Dir) => Promise<T>): Promise<T | undefined> {
  const dir = await openWay(from, steps, { make: false })
  if (dir === undefined || dir === from) return dir && work(dir)
  return holding(dir, work)
}

/** Creates missing folders. */
async function making<T>(from: Dir, steps: readonly string[], work: (dir: Dir) => Promise<T>): Promise<T> {
  const dir = await openWay(from, steps, { make: true })
  if (dir === undefined)
    throw new Refusal("file.clash", "A folder on the path was removed at the same moment. Try again.")
  return holding(dir, work)
}

async function holding<T>(dir: Dir, work: (dir: Dir) => Promise<T>): Promise<T> {
  try {
    return await work(dir)
  } finally {
    await dir.close()
  }
}
