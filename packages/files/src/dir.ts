/**
 * A folder that is held open: operations on its entries happen in this folder, wherever its path leads by then.
 *
 * On Linux an entry is named through the open handle (`/proc/self/fd/7/name`), so that a link that replaces a folder on
 * the way is never followed: each step was opened with O_NOFOLLOW, and nothing is looked up by its path again.
 * Elsewhere the path is used, and every step of it is compared with what was opened, before and after.
 */
import { constants, type Stats } from "node:fs"
import { type FileHandle, lstat, mkdir, open } from "node:fs/promises"
import { join } from "node:path"
import { Refusal } from "@parlor/protocol"
import { codeOf } from "./code.ts"

export type Dir = {
  /** The path of an entry, or without a name, of the folder itself. */
  at(name?: string): string
  /** Throws if the path no longer leads here. Does nothing where entries are named through the handle. */
  check(): Promise<void>
  /** Makes changes in it durable. */
  sync(): Promise<void>
  close(): Promise<void>
}

/** `handles`: whether entries can be named through open handles. */
export type Opening = { readonly handles: boolean; readonly make?: boolean }

const O_DIRECTORY = constants.O_DIRECTORY ?? 0
const O_NOFOLLOW = constants.O_NOFOLLOW ?? 0
const FOLDER_MODE = 0o700

/** The root folder. It may be reached through links: the server's operator chose it. */
export async function openRoot(path: string, { handles, make = true }: Opening): Promise<Dir> {
  if (make) await mkdir(path, { recursive: true, mode: FOLDER_MODE })
  if (!handles) return pathDir([await seen(path)])
  return handleDir(await open(path, constants.O_RDONLY | O_DIRECTORY))
}

/** Undefined if it does not exist and is not to be created. Throws for a link or anything else but a folder. */
export async function openDir(
  parent: Dir,
  name: string,
  options: { readonly make: boolean },
): Promise<Dir | undefined> {
  if (options.make) await mkdir(parent.at(name), FOLDER_MODE).catch(unless("EEXIST"))
  const stat = await lstat(parent.at(name)).catch(unless("ENOENT"))
  if (stat === undefined) return undefined
  refuseUnlessFolder(stat, name)
  if (isPathDir(parent)) {
    await parent.check()
    return pathDir([...parent.steps, await seen(parent.at(name))])
  }
  try {
    return handleDir(await open(parent.at(name), constants.O_RDONLY | O_DIRECTORY | O_NOFOLLOW))
  } catch (error) {
    const code = codeOf(error)
    if (code === "ENOENT") return undefined
    if (code === "ELOOP" || code === "ENOTDIR") throw isLink(name)
    throw error
  }
}

/** Opens one folder after another from here down; folders on the way are closed again. */
export async function openWay(
  from: Dir,
  steps: readonly string[],
  options: { readonly make: boolean },
): Promise<Dir | undefined> {
  let dir: Dir | undefined = from
  for (const step of steps) {
    const parent: Dir = dir
    try {
      dir = await openDir(parent, step, options)
    } finally {
      if (parent !== from) await parent.close()
    }
    if (dir === undefined) return undefined
  }
  return dir
}

type Step = { readonly path: string; readonly dev: number; readonly ino: number }
type PathDir = Dir & { readonly steps: readonly Step[] }

function handleDir(handle: FileHandle): Dir {
  return {
    at: (name) => (name === undefined ? `/proc/self/fd/${handle.fd}` : `/proc/self/fd/${handle.fd}/${name}`),
    check: async () => {},
    sync: () => handle.sync(),
    close: () => handle.close(),
  }
}

function pathDir(steps: readonly Step[]): PathDir {
  const path = steps.at(-1)?.path ?? ""
  return {
    steps,
    at: (name) => (name === undefined ? path : join(path, name)),
    async check() {
      for (const step of steps.slice(1)) {
        const now = await lstat(step.path)
        if (!now.isDirectory() || now.dev !== step.dev || now.ino !== step.ino) throw isLink(step.path)
      }
    },
    // Not every system can sync folders.
    sync: async () => {},
    close: async () => {},
  }
}

function isPathDir(dir: Dir): dir is PathDir {
  return "steps" in dir
}

async function seen(path: string): Promise<Step> {
  const { dev, ino } = await lstat(path)
  return { path, dev, ino }
}

function refuseUnlessFolder(stat: Stats, name: string): void {
  if (stat.isDirectory()) return
  if (stat.isSymbolicLink()) throw isLink(name)
  throw new Refusal("file.clash", `${JSON.stringify(name)} is not a folder on disk.`)
}

function isLink(name: string): Refusal {
  return new Refusal("file.not-plain", `${JSON.stringify(name)} is a link on disk. Links are not followed.`)
}

/** Returns undefined for errors with this code and rethrows all others. */
export function unless(...codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (codes.includes(codeOf(error))) return undefined
    throw error
  }
}
