/** Files that only their owner can read, whatever the umask is and whatever was there before (SEC-19). */
import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"

const FOLDER_MODE = 0o700
const FILE_MODE = 0o600
const FOR_OTHERS = 0o077
const STICKY = 0o1000

/** What Parlor keeps in its data folder, with what stands beside it: logs of the database, locks, backups. */
const OURS = /^(?:parlor[.-]|spool\.|token$|secret-key|node$|node\.lock|mcp-pins\.)/

/** Makes the folder, and keeps others out of it and out of the files of ours that are in it. */
export function privateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE })
  // A folder that everybody writes to, such as /tmp, is not ours alone.
  if ((statSync(folder).mode & STICKY) === 0) tighten(folder, FOLDER_MODE)
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isFile() && OURS.test(entry.name)) tighten(join(folder, entry.name), FILE_MODE)
}

/** Makes the file if it is not there. SQLite gives the files it makes beside a database the mode of the database. */
export function privateFile(path: string): void {
  closeSync(openSync(path, "a", FILE_MODE))
  tighten(path, FILE_MODE)
}

function tighten(path: string, mode: number): void {
  if ((statSync(path).mode & FOR_OTHERS) === 0) return
  try {
    chmodSync(path, mode)
  } catch (error) {
    // Somebody else's, or a file system without modes: it is for them to say who may read it.
    if (!(error instanceof Error && "code" in error && NOT_OURS.has(String(error.code)))) throw error
  }
}

const NOT_OURS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EROFS", "ENOSYS"])
