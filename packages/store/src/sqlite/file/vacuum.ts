/**
 * Databases from before pages were returned to the disk (LOG-24) have to be rewritten once. A small one is rewritten
 * when it is opened, which takes about a second. A large one is left as it is: its server would be down for too long.
 */
import { statfsSync } from "node:fs"
import { dirname } from "node:path"
import { type Database, readPragma } from "../connect.ts"

const INCREMENTAL = 2
const SMALL_BYTES = 64 * 1024 * 1024
/** A copy, and the log through which it is written. */
const ROOM_FACTOR = 2.5

/** Does nothing to a database that was already converted, or that would take too long. */
export function convertToVacuum(db: Database, path: string): boolean {
  if (readPragma(db, "auto_vacuum") === INCREMENTAL) return true
  const size = Number(readPragma(db, "page_count")) * Number(readPragma(db, "page_size"))
  const { bavail, bsize } = statfsSync(dirname(path))
  if (size > SMALL_BYTES || size * ROOM_FACTOR > bavail * bsize) return false
  db.exec("PRAGMA auto_vacuum = INCREMENTAL; VACUUM")
  return true
}
