/** Files that only their owner can read, whatever the umask and whatever existed before (SEC-19). */
import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"

const FOLDER_MODE = 0o700
const FILE_MODE = 0o600
const FOR_OTHERS = 0o077
const STICKY = 0o1000

/** Parlor's own files in its data folder, including database logs, locks and backups. */
const OURS = /^(?:parlor[.-]|spool\.|token$|secret-key|node$|node\.lock|mcp-pins\.)/

/** Creates the folder, and makes it and Parlor's files in it private. */
export function privateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE })
  // A world-writable folder such as /tmp is not ours alone.
  if ((statSync(folder).mode & STICKY) === 0) tighten(folder, FOLDER_MODE)
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isFile() && OURS.test(entry.name)) tighten(join(folder, entry.name), FILE_MODE)
}

/** Creates the file if it does not exist. SQLite gives files it creates next to a database the database's mode. */
export function privateFile(path: string): void {
  closeSync(openSync(path, "a", FILE_MODE))
  tighten(path, FILE_MODE)
}

function tighten(path: string, mode: number): void {
  if ((statSync(path).mode & FOR_OTHERS) === 0) return
  try {
    chmodSync(path, mode)
  } catch (error) {
    // Someone else's file, or a file system without modes: its owner decides who may read it.
    if (!(error instanceof Error && "code" in error && NOT_OURS.has(String(error.code)))) throw error
  }
}

const NOT_OURS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EROFS", "ENOSYS"])
