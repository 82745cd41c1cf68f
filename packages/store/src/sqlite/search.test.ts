import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Fault } from "@parlor/protocol"
import { DatabaseSync } from "@photostructure/sqlite"
import { afterEach, describe, expect, test } from "vitest"
import { memory } from "../../test/contract-memories.ts"
import { append, change, committed, message, newConversation } from "../../test/fixtures.ts"
import { openSqlite, type SqliteStore } from "./open.ts"

const built = new URL("../../dist/index.js", import.meta.url).href
const NOW = 1_700_000_000_000
const asked = { limit: 1_000, now: NOW }

describe("search in SQLite", () => {
  const opened: SqliteStore[] = []
  const folders: string[] = []
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close()
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
  })

  function newPath(): string {
    const folder = mkdtempSync(join(tmpdir(), "parlor-search-"))
    folders.push(folder)
    return join(folder, "parlor.db")
  }

  async function open(path = newPath()) {
    const store = await openSqlite({ path })
    opened.push(store)
    return { store, path }
  }

  test("[CPT-7] what was committed is found after the process was killed, in the index or not there yet", async () => {
    const path = newPath()
    let least = 0
    for (const commits of [30, 150]) {
      least += await writeUntilKilled(path, commits)
      const { store } = await open(path)
      const hits = await store.search.find(killed.person, "word", asked)
      const rows = await store.log.read((await store.log.ensure(killed)).id, [{ collection: "messages" }])
      expect(hits.length).toBeGreaterThanOrEqual(least)
      expect(hits.length).toBe(rows?.lists[0]?.length)
      expect(await store.search.find(killed.person, "number1", asked)).not.toEqual([])
      await store.close()
    }
  }, 30_000)

  test("too many searches at once are rejected with a Fault, the others are answered", async () => {
    const { store } = await open()
    const stream = await newConversation(store)
    await committed(store, append(stream.id, [message("m", 1, { text: "word" })]))
    const searches = Array.from({ length: 100 }, () => store.search.find(stream.key.person, "word", asked))
    const settled = await Promise.allSettled(searches)
    const refused = settled.filter((one) => one.status === "rejected")
    expect(refused).toHaveLength(36)
    for (const { reason } of refused) expect(reason).toBeInstanceOf(Fault)
    for (const one of settled) if (one.status === "fulfilled") expect(one.value).toHaveLength(1)
    expect(await store.search.find(stream.key.person, "word", asked)).toHaveLength(1)
  })

  test("when the thread dies, pending searches reject with a Fault, and the next search starts a new thread", async () => {
    const { store } = await open()
    const stream = await newConversation(store)
    await committed(store, append(stream.id, [message("m", 1, { text: "word" })]))
    expect(await store.search.find(stream.key.person, "word", asked)).toHaveLength(1)
    const crash = store.crashSearch()
    const under = store.search.find(stream.key.person, "word", asked)
    await expect(under).rejects.toBeInstanceOf(Fault)
    await crash
    expect(await store.search.find(stream.key.person, "word", asked)).toHaveLength(1)
  })

  test("a closing store answers earlier searches, and rejects later ones with a Fault", async () => {
    const { store } = await open()
    const stream = await newConversation(store)
    await committed(store, append(stream.id, [message("m", 1, { text: "word" })]))
    const searches = Array.from({ length: 20 }, () => store.search.find(stream.key.person, "word", asked))
    const closing = store.close()
    expect((await Promise.all(searches)).flat()).toHaveLength(20)
    await expect(store.search.find(stream.key.person, "word", asked)).rejects.toBeInstanceOf(Fault)
    await closing
  })

  test("[CPT-7] complete messages of a database older than search are found", async () => {
    const { store, path } = await open()
    const stream = await newConversation(store)
    const old = (key: string, state: string, text: string) =>
      change("messages", key, { state, at: NOW, parts: [{ type: "text", text }] }, { ord: 1 })
    const rows = Array.from({ length: 100 }, (_, i) => old(`m${i}`, "done", `word number${i}`))
    await committed(store, append(stream.id, [...rows, old("s", "streaming", "word"), old("t", "truncated", "word")]))
    await store.close()
    backToFirstSchema(path)
    const { store: again } = await open(path)
    expect(await again.search.find(stream.key.person, "word", asked)).toHaveLength(101)
    expect(await again.search.find(stream.key.person, "number42", asked)).toMatchObject([
      { key: "m42", ord: 1, at: NOW },
    ])
    await again.memories.put(stream.key.person, memory("word"), 10)
    await committed(again, append(stream.id, [message("new", 2, { text: "word" })]))
    expect(await again.search.find(stream.key.person, "word", asked)).toHaveLength(103)
  })

  test("a content whose writer dies is dropped at the next start, and can be stored again", async () => {
    const { store, path } = await open()
    const stream = await newConversation(store)
    const content = new Uint8Array(8 * 1024 * 1024).fill(7)
    await store.blobs.keep(stream.id, "small", new Uint8Array(3))
    const crash = store.crashWriter()
    await expect(store.blobs.keep(stream.id, "hash", content)).rejects.toBeInstanceOf(Fault)
    await crash
    expect(await store.blobs.get("hash")).toBeUndefined()
    await store.close()
    leaveStaged(path)
    const { store: again } = await open(path)
    expect(staged(path)).toEqual({ blobs: 1, pieces: 1 })
    await again.blobs.keep(stream.id, "hash", content)
    expect((await again.blobs.get("hash"))?.length).toBe(content.length)
    expect(staged(path)).toEqual({ blobs: 2, pieces: 9 })
  })
})

const killed = { kind: "conversation", agent: "helper", person: "killed", branch: "main" } as const

/** Another process commits messages and reports each, until it is killed. Returns the minimum it reported. */
async function writeUntilKilled(path: string, commits: number): Promise<number> {
  const script = `
    const { openSqlite } = await import(${JSON.stringify(built)})
    const store = await openSqlite({ path: ${JSON.stringify(path)} })
    const { id, head } = await store.log.ensure(${JSON.stringify(killed)})
    for (let n = head + 1; ; n++) {
      const text = "a word number" + n
      const change = { collection: "messages", key: "m" + n, operation: "insert", value: "{}", ord: n, text }
      await store.log.commit([{ stream: id, changes: [change], txid: "tx", at: 1 }])
      process.stdout.write(n + "\\n")
    }`
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] })
  let said = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text
    if (said.split("\n").length > commits) child.kill("SIGKILL")
  })
  await once(child, "close")
  return said.split("\n").length - 1
}

const FIRST_TABLES = ["streams", "events", "rows", "streaming", "once", "keys", "audit", "meta"]

function backToFirstSchema(path: string): void {
  const db = new DatabaseSync(path)
  const triggers = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all()
  for (const { name } of triggers as { name: string }[]) db.exec(`DROP TRIGGER ${name}`)
  db.exec("DROP INDEX streams_person; DROP INDEX streams_uncounted; DROP INDEX once_at")
  db.exec("ALTER TABLE streams DROP COLUMN bytes; ALTER TABLE streams DROP COLUMN uncounted")
  db.exec("ALTER TABLE once DROP COLUMN at")
  db.exec("DROP INDEX keys_made_by")
  db.exec("ALTER TABLE keys DROP COLUMN as_maker; ALTER TABLE keys DROP COLUMN made_by")
  const tables = db.prepare("SELECT name FROM pragma_table_list WHERE type IN ('table', 'virtual')").all()
  for (const { name } of tables as { name: string }[])
    if (!FIRST_TABLES.includes(name) && !name.startsWith("sqlite_")) db.exec(`DROP TABLE ${name}`)
  db.exec("ALTER TABLE rows DROP COLUMN large")
  db.exec("UPDATE meta SET value = '1' WHERE name = 'schema'")
  db.close()
}

function leaveStaged(path: string): void {
  const db = new DatabaseSync(path)
  db.exec("INSERT INTO blobs (hash, bytes) VALUES (NULL, 0)")
  db.exec("INSERT INTO blob_pieces SELECT max(id), 0, x'00' FROM blobs")
  db.close()
}

function staged(path: string): unknown {
  const db = new DatabaseSync(path, { readOnly: true })
  const counts = db
    .prepare("SELECT (SELECT count(*) FROM blobs) AS blobs, (SELECT count(*) FROM blob_pieces) AS pieces")
    .get()
  db.close()
  return { ...(counts as object) }
}
