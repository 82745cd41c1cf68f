import { spawn } from "node:child_process"
import { once } from "node:events"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Store } from "@parlor/core"
import { backup, DatabaseSync } from "@photostructure/sqlite"
import { afterEach, describe, expect, test } from "vitest"
import { allEvents, append, committed, delta } from "../../../test/fixtures.ts"
import { openSqlite } from "../open.ts"
import { checkComplete, IncompleteDatabase } from "./complete.ts"

const built = new URL("../../../dist/index.js", import.meta.url).href
const key = { kind: "conversation", agent: "helper", person: "me", branch: "main" } as const
const MANY = 60
const LENGTH = 4_000

const folders: string[] = []
const stores: Store[] = []

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

describe("a database on disk", () => {
  test("[LOG-19] a clean stop leaves everything in the one file", async () => {
    const path = newPath()
    const store = await open(path)
    await write(store, 1)
    await store.close()
    expect(existsSync(`${path}-wal`) ? statSync(`${path}-wal`).size : 0).toBe(0)
    const alone = copyOf(path, [""])
    expect(await countIn(alone)).toBe(MANY)
    // Opened, closed and copied again.
    expect(await countIn(copyOf(alone, [""]))).toBe(MANY)
  })

  test("[LOG-19] a killed process leaves a database that opens with everything", async () => {
    const path = await killed()
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(MANY * LENGTH)
    expect(await countIn(copyOf(path, ["", "-wal"]))).toBe(MANY)
    expect(await countIn(path)).toBe(MANY)
  })

  test("[LOG-19] a database that lost its write-ahead log is rejected, every time, until the log is put back", async () => {
    const path = await killed()
    const alone = copyOf(path, [""])
    for (let time = 0; time < 2; time++) await expect(openSqlite({ path: alone })).rejects.toThrow(IncompleteDatabase)
    await expect(openSqlite({ path: alone })).rejects.toThrow(/parlor\.db-wal.*missing.*PARLOR_OPEN_INCOMPLETE=1/s)
    copyFileSync(`${path}-wal`, `${alone}-wal`)
    expect(await countIn(alone)).toBe(MANY)
  })

  test("[LOG-19] a database that lost its log after a checkpoint is rejected too", async () => {
    const path = newPath()
    const store = await open(path)
    // Long enough for checkpoints in between.
    for (let round = 0; round < 12; round++) await write(store, round, 100_000)
    await expect.poll(() => statSync(path).size).toBeGreaterThan(10_000_000)
    await write(store, 99)
    const alone = copyOf(path, [""])
    await expect(openSqlite({ path: alone })).rejects.toThrow(IncompleteDatabase)
    expect(await countIn(copyOf(path, ["", "-wal"]))).toBe(13 * MANY)
  }, 60_000)

  test("[LOG-19] what was only in the log can be given up on purpose", async () => {
    const alone = copyOf(await killed(), [""])
    const store = await openSqlite({ path: alone, acceptMissingWal: true })
    expect(await store.log.find(key)).toBeUndefined()
    await store.close()
    expect(await countIn(alone)).toBe(0)
  })

  test("[LOG-19] an empty or missing database next to its log is rejected", async () => {
    const path = await killed()
    const before = readFileSync(`${path}-wal`)
    truncateSync(path, 0)
    await expect(openSqlite({ path })).rejects.toThrow(/empty or missing/)
    rmSync(path)
    await expect(openSqlite({ path })).rejects.toThrow(/empty or missing/)
    expect(existsSync(path)).toBe(false)
    expect(readFileSync(`${path}-wal`).equals(before)).toBe(true)
    const closed = newPath()
    await (await openSqlite({ path: closed })).close()
    truncateSync(closed, 0)
    if (existsSync(`${closed}-wal`)) await expect(openSqlite({ path: closed })).rejects.toThrow(/empty or missing/)
  })

  test("[LOG-19] a truncated database is rejected, wherever the cut is", async () => {
    const path = newPath()
    const store = await open(path)
    await write(store, 1)
    await store.close()
    const { size } = statSync(path)
    for (const left of [1, 99, 100, 4_096, 8_192, 4_096 * Math.floor(size / 8_192), size - 4_096, size - 1]) {
      const cut = copyOf(path, [""])
      truncateSync(cut, left)
      await expect(openSqlite({ path: cut }), String(left)).rejects.toThrow(/truncated/)
      // The empty log of a clean stop does not help.
      writeFileSync(`${cut}-wal`, "")
      await expect(openSqlite({ path: cut }), String(left)).rejects.toThrow(/truncated/)
    }
  })

  test("[LOG-19] an interrupted checkpoint opens: its log has what the file lacks", async () => {
    const path = await killed()
    const half = copyOf(path, ["", "-wal"])
    const wal = readFileSync(`${half}-wal`)
    const db = new DatabaseSync(half)
    db.exec("PRAGMA wal_checkpoint(FULL)")
    db.close()
    const { size } = statSync(half)
    truncateSync(half, size - 10 * 4_096)
    rmSync(`${half}-wal`, { force: true })
    rmSync(`${half}-shm`, { force: true })
    expect(() => checkComplete(half, { acceptMissingWal: true })).toThrow(/truncated/)
    writeFileSync(`${half}-wal`, wal)
    expect(await countIn(half)).toBe(MANY)
  })

  test("[LOG-19] a backup that SQLite makes of a running server opens", async () => {
    const path = newPath()
    const store = await open(path)
    await write(store, 1)
    const folder = newFolder()
    const [whole, small] = [join(folder, "whole.db"), join(folder, "small.db")]
    const db = new DatabaseSync(path, { readOnly: true })
    await backup(db, whole)
    db.exec(`VACUUM INTO '${small}'`)
    db.close()
    for (const copy of [whole, small]) expect(await countIn(copy)).toBe(MANY)
  })
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "parlor-complete-"))
  folders.push(folder)
  return folder
}

function newPath(): string {
  return join(newFolder(), "parlor.db")
}

async function open(path: string): Promise<Store> {
  const store = await openSqlite({ path })
  stores.push(store)
  return store
}

/** A copy of the database and the named files next to it. */
function copyOf(path: string, endings: readonly string[]): string {
  const folder = join(newFolder(), "copy")
  mkdirSync(folder)
  const copy = join(folder, "parlor.db")
  for (const ending of endings) copyFileSync(`${path}${ending}`, `${copy}${ending}`)
  return copy
}

async function write(store: Store, round: number, length = LENGTH): Promise<void> {
  const { id } = await store.log.ensure(key)
  for (let n = 0; n < MANY; n++) await committed(store, append(id, [delta(`m${round}`, n, "x".repeat(length))]))
}

async function countIn(path: string): Promise<number> {
  const store = await openSqlite({ path })
  const stream = await store.log.find(key)
  const count = stream === undefined ? 0 : (await allEvents(store, stream.id)).length
  await store.close()
  return count
}

/** A database whose process was killed after it had written. */
async function killed(): Promise<string> {
  const path = newPath()
  const script = `
    const { openSqlite } = await import(${JSON.stringify(built)})
    const store = await openSqlite({ path: ${JSON.stringify(path)} })
    const { id } = await store.log.ensure(${JSON.stringify(key)})
    for (let n = 0; n < ${MANY}; n++) {
      const value = JSON.stringify({ text: "x".repeat(${LENGTH}) })
      const change = { collection: "deltas", key: "m/0/" + n, operation: "insert", value, ord: null }
      await store.log.commit([{ stream: id, changes: [change], txid: "tx", at: 1 }])
    }
    process.kill(process.pid, "SIGKILL")`
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "inherit", "inherit"],
  })
  await once(child, "close")
  return path
}
