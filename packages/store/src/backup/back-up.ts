/**
 * A backup of a data folder, while its server runs or not (OPS-21).
 *
 *   <folder>.part-…/  spool ──▶ database ──▶ the rest ──▶ checked ──▶ backup.json ──renamed──▶ <folder>/
 *
 * The spool comes before the database: what is moved from one to the other in between is in both, and a repeated append
 * is skipped; the other order could miss it. The database is copied in one step, within one read transaction, so it is
 * the state of one moment. The server keeps writing meanwhile, and its write-ahead log grows until the copy is done.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { rename } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { backup, DatabaseSync } from "@photostructure/sqlite"
import { OperatorError } from "../operator-error.ts"
import { privateFile } from "../private-files.ts"
import { connectReader } from "../sqlite/connect.ts"
import { checkComplete, WAL_HERE, WAL_ROW } from "../sqlite/file/complete.ts"
import { checkSchema } from "../sqlite/migrations.ts"
import { durableCopy, makeDurable, syncFolder } from "./durable-copy.ts"
import {
  type BackedUpFile,
  DATABASE,
  describeFile,
  KEYS,
  MANIFEST,
  type Manifest,
  manifestOf,
  OTHERS,
  SPOOL,
} from "./manifest.ts"

/** More pages than a database can have: everything in one step. */
const ALL_PAGES = 2_147_483_647
const PROBLEMS_SHOWN = 3

export type BackupOptions = {
  /** The data folder. */
  readonly data: string
  /** The folder to create. */
  readonly folder: string
  /** Of Parlor, for the manifest. */
  readonly version: string
  readonly now: number
  /** Also copies the token and the secret key. */
  readonly withKeys?: boolean
}

export async function backUp(options: BackupOptions): Promise<Manifest> {
  const { data, folder: target, version, now, withKeys = false } = options
  const path = join(data, DATABASE)
  const folder = resolve(target)
  if (existsSync(folder) && !(statSync(folder).isDirectory() && readdirSync(folder).length === 0))
    throw new OperatorError(`${folder} already exists. Choose another folder.`)
  if (!existsSync(path)) throw new OperatorError(`There is no database in ${data}. Set PARLOR_DATA to the data folder.`)
  checkComplete(path)
  const part = `${folder}.part-${process.pid}`
  rmSync(part, { recursive: true, force: true })
  mkdirSync(part, { recursive: true, mode: 0o700 })
  try {
    await copyIfThere(data, part, SPOOL)
    const schema = await copyDatabase(path, join(part, DATABASE))
    for (const name of [...OTHERS, ...(withKeys ? KEYS : [])]) await copyIfThere(data, part, name)
    const files: BackedUpFile[] = []
    for (const name of readdirSync(part).sort()) files.push(await describeFile(part, name))
    const parts = { parlor: version, schema, createdAt: new Date(now).toISOString(), files }
    writeFileSync(join(part, MANIFEST), manifestOf(parts), { mode: 0o600 })
    await makeDurable(join(part, MANIFEST))
    await syncFolder(part)
    await rename(part, folder)
    await syncFolder(dirname(folder))
    return { format: 1, ...parts }
  } catch (error) {
    rmSync(part, { recursive: true, force: true })
    throw error
  }
}

/** An empty spool is left out. */
async function copyIfThere(data: string, part: string, name: string): Promise<void> {
  const from = join(data, name)
  if ((statSync(from, { throwIfNoEntry: false })?.size ?? 0) > 0) await durableCopy(from, join(part, name))
}

async function copyDatabase(from: string, to: string): Promise<number> {
  privateFile(to)
  const source = connectReader(from)
  try {
    checkSchema(source)
    await backup(source, to, { rate: ALL_PAGES })
  } finally {
    source.close()
  }
  const schema = finish(to)
  await makeDurable(to)
  return schema
}

/** Checks the copy, and marks it as complete by itself: it may have been made in the middle of a checkpoint. */
function finish(path: string): number {
  const db = new DatabaseSync(path)
  try {
    db.prepare("UPDATE meta SET value = ? WHERE name = ?").run(WAL_HERE, WAL_ROW)
    const problems = (db.prepare(`PRAGMA integrity_check(${PROBLEMS_SHOWN})`).all() as { integrity_check: string }[])
      .map((row) => row.integrity_check)
      .filter((line) => line !== "ok")
    if (problems.length > 0)
      throw new OperatorError(`The copy of the database is damaged (${problems.join("; ")}). Run "parlor doctor".`)
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)")
    return checkSchema(db)
  } finally {
    db.close()
    for (const ending of ["-wal", "-shm"]) rmSync(`${path}${ending}`, { force: true })
  }
}
