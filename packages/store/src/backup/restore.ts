/**
 * Puts a backup into a data folder that no server uses (OPS-22).
 *
 *   check the backup ──▶ copy it next to its place ──▶ move what is there to replaced-<time>/ ──▶ rename into place
 *
 * Nothing is deleted. A crash before the last steps leaves the folder as it was. The database is put in its place last.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs"
import { rename } from "node:fs/promises"
import { join, resolve } from "node:path"
import { FolderLock } from "../folder-lock.ts"
import { OperatorError } from "../operator-error.ts"
import { privateFolder } from "../private-files.ts"
import { newerDatabase, newestSchema } from "../sqlite/migrations.ts"
import { durableCopy, syncFolder } from "./durable-copy.ts"
import { DATABASE, describeFile, type Manifest, OTHERS, readManifest, SPOOL } from "./manifest.ts"

/** Working copies of files are restored from the database when they are next needed (WSP-3). */
const WORKING_COPIES = "files"
const REPLACED = [DATABASE, `${DATABASE}-wal`, `${DATABASE}-shm`, SPOOL, ...OTHERS, WORKING_COPIES]
const ARRIVING = ".restoring"

export type Restored = {
  readonly manifest: Manifest
  /** Where the earlier data is now; undefined if there was none. */
  readonly replaced: string | undefined
}

export async function restore(options: {
  readonly folder: string
  readonly data: string
  readonly now: number
}): Promise<Restored> {
  const folder = resolve(options.folder)
  const data = resolve(options.data)
  const manifest = readManifest(folder)
  if (manifest.schema > newestSchema) throw newerDatabase(manifest.schema)
  await checkFiles(folder, manifest)
  privateFolder(data)
  const lock = new FolderLock(join(data, DATABASE))
  try {
    const names = manifest.files.map(({ name }) => name)
    for (const name of names) {
      const place = join(data, `${name}${ARRIVING}`)
      rmSync(place, { force: true })
      await durableCopy(join(folder, name), place)
    }
    const replaced = putAside(data, [...REPLACED, ...names], options.now)
    for (const name of [...names.filter((one) => one !== DATABASE), DATABASE])
      await rename(join(data, `${name}${ARRIVING}`), join(data, name))
    await syncFolder(data)
    return { manifest, replaced }
  } finally {
    lock.release()
  }
}

async function checkFiles(folder: string, manifest: Manifest): Promise<void> {
  for (const { name, bytes, sha256 } of manifest.files) {
    const found = await describeFile(folder, name).catch(() => undefined)
    if (found === undefined) throw new OperatorError(`The backup is incomplete: ${join(folder, name)} is missing.`)
    if (found.bytes !== bytes || found.sha256 !== sha256)
      throw new OperatorError(`The backup is damaged: ${join(folder, name)} is not the file that was backed up.`)
  }
}

function putAside(data: string, names: readonly string[], now: number): string | undefined {
  const there = [...new Set(names)].filter((name) => existsSync(join(data, name)))
  if (there.length === 0) return undefined
  const aside = join(data, freeName(data, `replaced-${new Date(now).toISOString().replace(/[:.]/g, "-")}`))
  mkdirSync(aside, { mode: 0o700 })
  for (const name of there) renameSync(join(data, name), join(aside, name))
  return aside
}

function freeName(data: string, name: string): string {
  const taken = new Set(readdirSync(data))
  for (let n = 1; ; n++) {
    const free = n === 1 ? name : `${name}-${n}`
    if (!taken.has(free)) return free
  }
}
