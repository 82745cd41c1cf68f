import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { StreamId } from "@parlor/protocol"
import { afterEach, beforeEach, expect, test } from "vitest"
import { append, committed, message, newConversation } from "../test/fixtures.ts"
import { openNodeHome } from "./node-home.ts"
import { privateFolder } from "./private-files.ts"
import { openSpool } from "./spool.ts"
import { openSqlite } from "./sqlite/open.ts"

let umask: number
let root: string

beforeEach(() => {
  umask = process.umask(0)
  root = mkdtempSync(join(tmpdir(), "parlor-modes-"))
})

afterEach(() => {
  process.umask(umask)
  rmSync(root, { recursive: true, force: true })
})

test("[SEC-19] database, log, lock and spool are private to their owner, whatever the umask and folder", async () => {
  const folder = join(root, "data")
  mkdirSync(folder)
  chmodSync(folder, 0o755)
  await fill(folder)
  expect(modesIn(folder)).toMatchObject({
    ".": 0o700,
    "parlor.db": 0o600,
    "parlor.db-wal": 0o600,
    "parlor.db-shm": 0o600,
    "parlor.db.lock": 0o600,
    "spool.jsonl": 0o600,
    node: 0o600,
    "node.lock": 0o600,
  })
})

test("[SEC-19] files that others could read are made private at the next start; other files stay as they are", async () => {
  const folder = join(root, "deep", "data")
  await fill(folder)
  const ours = ["token", "mcp-pins.json", "parlor.db.bak", "parlor-2026-11-16.db"]
  for (const name of [...ours, "notes.txt"]) writeFileSync(join(folder, name), "x")
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644)
  chmodSync(folder, 0o777)
  await fill(folder)
  const { "notes.txt": notes, ...rest } = modesIn(folder)
  expect(notes).toBe(0o644)
  expect(Object.keys(rest)).toEqual(expect.arrayContaining(ours))
  expect(new Set(Object.entries(rest).map(([name, mode]) => (name === "." ? "folder" : mode)))).toEqual(
    new Set(["folder", 0o600]),
  )
  expect(rest["."]).toBe(0o700)
})

test("[SEC-19] a world-writable folder keeps its mode", () => {
  const shared = join(root, "shared")
  mkdirSync(shared)
  chmodSync(shared, 0o1777)
  privateFolder(shared)
  expect(statSync(shared).mode & 0o7777).toBe(0o1777)
})

/** Opens everything that a server keeps in its folder, writes to it, and leaves the files there for inspection. */
async function fill(folder: string): Promise<void> {
  privateFolder(folder)
  const store = await openSqlite({ path: join(folder, "parlor.db") })
  const { id } = await newConversation(store)
  await committed(store, append(id, [message("m", 1)]))
  await openSpool(join(folder, "spool.jsonl")).add([append(1 as StreamId, [message("n", 1)])])
  openNodeHome(folder).release()
  const modes = modesIn(folder)
  for (const name of ["parlor.db-wal", "parlor.db-shm"]) expect(modes[name], name).toBe(0o600)
  await store.close()
}

function modesIn(folder: string): Record<string, number> {
  const modes: Record<string, number> = { ".": statSync(folder).mode & 0o777 }
  for (const name of readdirSync(folder)) modes[name] = statSync(join(folder, name)).mode & 0o777
  return modes
}
