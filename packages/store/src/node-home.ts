/**
 * A node's own folder, when the database is elsewhere: it contains the node's name and spool.
 *
 * The name stays the same across restarts, so that a node that comes back after a crash has its own leases at once
 * instead of waiting for them to expire. The lock makes sure that no other process uses that name.
 */
import { randomBytes } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { FolderLock } from "./folder-lock.ts"

export type NodeHome = { readonly name: string; release(): void }

export function openNodeHome(folder: string): NodeHome {
  const path = join(folder, "node")
  const lock = new FolderLock(path)
  return { name: existsSync(path) ? readFileSync(path, "utf8").trim() : newName(path), release: () => lock.release() }
}

function newName(path: string): string {
  const name = `node_${randomBytes(12).toString("base64url")}`
  writeFileSync(path, `${name}\n`, { mode: 0o600 })
  return name
}
