/**
 * Checks that a database is complete, before SQLite opens it (LOG-19).
 *
 * SQLite opens an empty file as a new database, and one whose write-ahead log is missing as of the last checkpoint.
 * Both would look like an empty or an older server, and the first write would make the loss permanent.
 *
 * While a database is open, its file alone says `needed` in the row `wal` of `meta`, and the log that follows says
 * `here` (`upkeep.ts`). So a file without its log says `needed`, while a backup made through SQLite, or a cleanly
 * closed file, says `here`.
 */
import { closeSync, openSync, readSync, statSync } from "node:fs"
import { basename } from "node:path"
import { pathToFileURL } from "node:url"
import { DatabaseSync } from "@photostructure/sqlite"

export const WAL_ROW = "wal"
export const WAL_NEEDED = "needed"
export const WAL_HERE = "here"

const HEADER_BYTES = 100
const MAGIC = "SQLite format 3\0"
const WAL_HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24

/** Starting again is useless: files have to be restored first. */
export class IncompleteDatabase extends Error {
  constructor(path: string, what: string, remedy: string) {
    super(`The database ${path} is incomplete: ${what}. Parlor did not start, and changed nothing. ${remedy}`)
    this.name = "IncompleteDatabase"
  }
}

export function checkComplete(path: string, options: { readonly acceptMissingWal?: boolean } = {}): void {
  const size = sizeOf(path) ?? 0
  const walSize = sizeOf(walOf(path))
  if (size === 0) {
    if (walSize !== undefined) throw emptyDatabase(path)
    return
  }
  const header = readAt(path, 0, HEADER_BYTES)
  if (header.length < HEADER_BYTES) throw cutShort(path)
  if (header.toString("latin1", 0, MAGIC.length) !== MAGIC) return
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
  const isCountValid = header.readUInt32BE(24) === header.readUInt32BE(92)
  const pages = Math.floor(size / pageSize)
  if (isCountValid && !isSupplied(path, { from: pages + 1, to: header.readUInt32BE(28), pageSize }))
    throw cutShort(path)
  if (walSize === undefined && !options.acceptMissingWal && needsWal(path)) throw missingWal(path)
}

/** A checkpoint interrupted by a kill leaves a file that is too short: its log then has the missing pages. */
function isSupplied(
  path: string,
  missing: { readonly from: number; readonly to: number; readonly pageSize: number },
): boolean {
  if (missing.from > missing.to) return true
  const pages = pagesInWal(walOf(path), missing.pageSize)
  for (let page = missing.from; page <= missing.to; page++) if (!pages.has(page)) return false
  return true
}

function pagesInWal(wal: string, pageSize: number): ReadonlySet<number> {
  const pages = new Set<number>()
  const size = sizeOf(wal) ?? 0
  if (size < WAL_HEADER_BYTES) return pages
  const salt = readAt(wal, 0, WAL_HEADER_BYTES).subarray(16, 24)
  for (let at = WAL_HEADER_BYTES; at + FRAME_HEADER_BYTES <= size; at += FRAME_HEADER_BYTES + pageSize) {
    const frame = readAt(wal, at, FRAME_HEADER_BYTES)
    if (!frame.subarray(8, 16).equals(salt)) break
    pages.add(frame.readUInt32BE(0))
  }
  return pages
}

/** Opened as immutable: any other way would create a new, empty log next to it. */
function needsWal(path: string): boolean {
  const db = new DatabaseSync(`${pathToFileURL(path).href}?immutable=1`, { readOnly: true })
  try {
    const hasMeta = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").get() !== undefined
    if (!hasMeta) return false
    const row = db.prepare("SELECT value FROM meta WHERE name = ?").get(WAL_ROW) as
      | { readonly value: string }
      | undefined
    return row?.value === WAL_NEEDED
  } finally {
    db.close()
  }
}

function emptyDatabase(path: string): IncompleteDatabase {
  const wal = basename(walOf(path))
  return new IncompleteDatabase(
    path,
    `it is empty or missing, but its write-ahead log ${wal} is there`,
    `Restore both files from the same backup. To start with an empty database instead, move ${wal} away.`,
  )
}

function cutShort(path: string): IncompleteDatabase {
  return new IncompleteDatabase(path, "the file is truncated", "Restore it from a backup.")
}

function missingWal(path: string): IncompleteDatabase {
  const wal = basename(walOf(path))
  return new IncompleteDatabase(
    path,
    `it was not closed cleanly, and its write-ahead log ${wal}, which has the newest messages, is missing`,
    `Put ${wal} back beside it, or restore a backup that was made while the server was stopped. To open the database ` +
      "without it, and lose what only the log had, start once with PARLOR_OPEN_INCOMPLETE=1.",
  )
}

function walOf(path: string): string {
  return `${path}-wal`
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size
}

function readAt(path: string, at: number, bytes: number): Buffer {
  const file = openSync(path, "r")
  try {
    const buffer = Buffer.alloc(bytes)
    return buffer.subarray(0, readSync(file, buffer, 0, bytes, at))
  } finally {
    closeSync(file)
  }
}
