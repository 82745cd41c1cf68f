/**
 * The files port on a disk (WSP-1).
 *
 *   root/<person>/<agent>/<branch>~<life>/…   the files of one conversation
 *   root/.parlor/temp                         what is being written or deleted
 *   root/.parlor/written                      what was written where
 *
 * Every operation walks down from the root, one folder at a time, and holds the folder it works in. No part of a path
 * is a link, files are never written in place, and only plain files are read. One process uses a root at a time.
 */
import { constants } from "node:fs"
import { lstat, mkdir, open, readdir, rename, rmdir, stat, unlink } from "node:fs/promises"
import type { DiskFile, Files, Folder } from "@parlor/core"
import { Refusal } from "@parlor/protocol"
import { type Dir, openRoot, openWay, unless } from "./dir.ts"
import { listPlain } from "./list-plain.ts"
import { folderName, nameOfFolder } from "./name.ts"
import { readPlain, refuseUnlessFile, replacePlain } from "./plain-file.ts"
import { goneName, removeTree } from "./remove-tree.ts"
import { Written } from "./written.ts"

export type FilesOptions = {
  readonly root: string
  /** Whether entries are named through open handles; detected if omitted. */
  readonly handles?: boolean
}

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
  return {
    read: (folder, path, { most }) =>
      within(async (root) => {
        const { steps, name } = split(folder, path)
        const file = await inside(root, steps, (dir) => readPlain(dir, name, most))
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
            await making(root, steps, (dir) => replacePlain(dir, name, content, { temp, at, ready }))
            await written.end(place, folder, path)
          }),
        ),
      ),
    remove: (folder, path) =>
      within((root) =>
        making(root, WRITTEN, async (place) => {
          await written.begin(place, folder, path, null)
          await removeFile(root, folder, path)
          await written.end(place, folder, path)
        }),
      ),
    list: (folder, most) =>
      within(async (root) => {
        const files = (await inside(root, stepsOf(folder), (dir) => listPlain(dir, most))) ?? []
        return making(root, WRITTEN, async (place) => {
          const listed: DiskFile[] = []
          for (const file of files) listed.push({ ...file, written: await written.hashes(place, folder, file.path) })
          return listed
        })
      }),
    clear: (folder) =>
      within(async (root) => {
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

async function removeFile(root: Dir, folder: Folder, path: string): Promise<void> {
  const { steps, name } = split(folder, path)
  await inside(root, steps, async (dir) => {
    const there = await lstat(dir.at(name)).catch(unless("ENOENT"))
    if (there === undefined) return
    refuseUnlessFile(there, name)
    await dir.check()
    await unlink(dir.at(name)).catch(unless("ENOENT"))
    await dir.sync()
  })
  await removeEmpty(root, steps, stepsOf(folder).length)
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
  return { steps: [...stepsOf(folder), ...steps], name }
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
