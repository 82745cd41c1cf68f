import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "@photostructure/sqlite"
import { afterEach, expect, test } from "vitest"
import { allEvents, append, committed, message } from "../../test/fixtures.ts"
import { runDoctor } from "../run-doctor.ts"
import { openSpool } from "../spool.ts"
import { openSqlite } from "../sqlite/open.ts"
import { backUp } from "./back-up.ts"
import { restore } from "./restore.ts"

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const key = { kind: "conversation", agent: "helper", person: "me", branch: "main" } as const
const NOW = Date.UTC(2026, 10, 18)
const words = "w".repeat(2_000)

test("[OPS-21] a backup of a database that is being written to is one moment of it, and starts alone", async () => {
  const data = newFolder()
  const store = await openSqlite({ path: join(data, "parlor.db") })
  const { id } = await store.log.ensure(key)
  let written = 0
  let isOver = false
  const writing = (async () => {
    for (; !isOver; written++) {
      const spoken = { value: JSON.stringify({ id: `m${written}`, ord: written + 1, state: "done", words }) }
      await committed(store, append(id, [message(`m${written}`, written + 1, spoken)]))
    }
  })()
  try {
    for (let round = 0; round < 4; round++) {
      await expect.poll(() => written, { timeout: 30_000 }).toBeGreaterThan((round + 1) * 150)
      const before = written
      const folder = join(newFolder(), "backup")
      await backUp({ data, folder, version: "test", now: NOW })
      const to = newFolder()
      await restore({ folder, data: to, now: NOW })
      const examination = await runDoctor({ at: { path: join(to, "parlor.db") }, repair: false })
      expect(examination.findings).toEqual([])
      const copy = await openSqlite({ path: join(to, "parlor.db") })
      const stream = await copy.log.find(key)
      const events = await allEvents(copy, stream?.id ?? id)
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
      expect(events.length).toBeGreaterThanOrEqual(before)
      expect(events.length).toBe(stream?.head)
      await copy.close()
    }
    expect(written).toBeGreaterThan(600)
  } finally {
    isOver = true
    await writing
    await store.close()
  }
}, 120_000)

test("[OPS-21] a backup is private, lists its files, and leaves the keys out unless asked", async () => {
  const data = await someData()
  const parent = newFolder()
  const folder = join(parent, "backup")
  const manifest = await backUp({ data, folder, version: "1.2.3", now: NOW })
  expect(manifest).toMatchObject({ parlor: "1.2.3", createdAt: "2026-11-18T00:00:00.000Z" })
  expect(readdirSync(folder).sort()).toEqual(["backup.json", "mcp-pins.json", "parlor.db", "spool.jsonl"])
  expect(manifest.files.map(({ name }) => name)).toEqual(["mcp-pins.json", "parlor.db", "spool.jsonl"])
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600)
  expect(readdirSync(parent)).toEqual(["backup"])
  await expect(backUp({ data, folder, version: "1.2.3", now: NOW })).rejects.toThrow(/already exists/)
  await backUp({ data, folder: join(parent, "keys"), version: "1.2.3", now: NOW, withKeys: true })
  expect(readdirSync(join(parent, "keys"))).toEqual(expect.arrayContaining(["secret-key", "token"]))
})

test("[OPS-21] a database without its newest writes, a damaged one, or none is not backed up", async () => {
  const folder = join(newFolder(), "backup")
  await expect(backUp({ data: newFolder(), folder, version: "1", now: NOW })).rejects.toThrow(/no database/)
  const lost = await someData()
  const db = new DatabaseSync(join(lost, "parlor.db"))
  db.exec("UPDATE meta SET value = 'needed' WHERE name = 'wal'; PRAGMA wal_checkpoint(TRUNCATE)")
  db.close()
  for (const ending of ["-wal", "-shm"]) rmSync(join(lost, `parlor.db${ending}`), { force: true })
  await expect(backUp({ data: lost, folder, version: "1", now: NOW })).rejects.toThrow(/write-ahead log.*missing/s)
  expect(existsSync(folder)).toBe(false)
})

test("[OPS-22] a restore keeps what was there and the keys, and brings back everything else", async () => {
  const data = await someData()
  const folder = join(newFolder(), "backup")
  await backUp({ data, folder, version: "1", now: NOW })
  const later = await openSqlite({ path: join(data, "parlor.db") })
  const { id } = await later.log.ensure(key)
  await committed(later, append(id, [message("m_later", 9)]))
  await expect(restore({ folder, data, now: NOW })).rejects.toThrow(/Another Parlor is using the folder/)
  await later.close()
  writeFileSync(join(data, "token"), "a newer token")
  const { replaced } = await restore({ folder, data, now: NOW })
  expect(replaced).toBe(join(data, "replaced-2026-11-18T00-00-00-000Z"))
  expect(readFileSync(join(data, "token"), "utf8")).toBe("a newer token")
  expect(readdirSync(data).filter((name) => name.endsWith(".restoring"))).toEqual([])
  expect(statSync(join(data, "parlor.db")).mode & 0o777).toBe(0o600)
  expect(await countIn(data)).toBe(1)
  expect(await openSpool(join(data, "spool.jsonl")).read()).toHaveLength(1)
  expect(await countIn(replaced ?? "")).toBe(2)
  // Once more, and into an empty folder.
  expect((await restore({ folder, data, now: NOW })).replaced).toBe(`${replaced}-2`)
  const empty = newFolder()
  expect((await restore({ folder, data: empty, now: NOW })).replaced).toBeUndefined()
  expect(await countIn(empty)).toBe(1)
})

test("[OPS-22] an incomplete, damaged or newer backup is refused, and nothing is changed", async () => {
  const data = await someData()
  const folder = join(newFolder(), "backup")
  await backUp({ data, folder, version: "1", now: NOW })
  const before = readdirSync(data).sort()
  const manifest = readFileSync(join(folder, "backup.json"), "utf8")
  const attempt = () => restore({ folder, data, now: NOW })
  const isRefused = async (why: RegExp) => {
    await expect(attempt()).rejects.toThrow(why)
    expect(readdirSync(data).sort()).toEqual(before)
  }
  rmSync(join(folder, "backup.json"))
  await isRefused(/is not a complete backup/)
  writeFileSync(join(folder, "backup.json"), "{")
  await isRefused(/backup\.json is damaged/)
  writeFileSync(join(folder, "backup.json"), manifest.replace('"mcp-pins.json"', '"../../mcp-pins.json"'))
  await isRefused(/backup\.json is damaged/)
  writeFileSync(join(folder, "backup.json"), manifest.replace(/"schema": \d+/, '"schema": 999'))
  await isRefused(/The database has schema 999/)
  writeFileSync(join(folder, "backup.json"), manifest)
  appendFileSync(join(folder, "spool.jsonl"), "{}")
  await isRefused(/The backup is damaged: .*spool\.jsonl/)
  rmSync(join(folder, "spool.jsonl"))
  await isRefused(/The backup is incomplete: .*spool\.jsonl/)
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "parlor-backup-"))
  folders.push(folder)
  return folder
}

async function someData(): Promise<string> {
  const data = newFolder()
  const store = await openSqlite({ path: join(data, "parlor.db") })
  const { id } = await store.log.ensure(key)
  await committed(store, append(id, [message("m0", 1)]))
  await store.close()
  await openSpool(join(data, "spool.jsonl")).add([append(id, [message("m1", 2)])])
  writeFileSync(join(data, "mcp-pins.json"), "{}")
  writeFileSync(join(data, "token"), "t".repeat(40))
  writeFileSync(join(data, "secret-key"), "k")
  return data
}

async function countIn(data: string): Promise<number> {
  const store = await openSqlite({ path: join(data, "parlor.db") })
  const stream = await store.log.find(key)
  await store.close()
  return stream?.head ?? 0
}
