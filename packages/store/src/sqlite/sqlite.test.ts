import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import type { AuditEntry } from "@parlor/core"
import { Fault } from "@parlor/protocol"
import { DatabaseSync } from "@photostructure/sqlite"
import { afterEach, describe, expect, test } from "vitest"
import { storeContract } from "../../test/contract.ts"
import {
  allEvents,
  append,
  audit,
  change,
  commitOne,
  committed,
  delta,
  message,
  newConversation,
} from "../../test/fixtures.ts"
import { openSqlite, type SqliteOptions, type SqliteStore } from "./open.ts"

const built = new URL("../../dist/index.js", import.meta.url).href

storeContract("SQLite", async () => {
  const folder = newFolder()
  const path = join(folder, "parlor.db")
  const store = await openSqlite({ path })
  return {
    store,
    readAudit: async () => {
      const db = new DatabaseSync(path, { readOnly: true })
      const entries = db.prepare("SELECT at, person, act, subject FROM audit ORDER BY id").all() as AuditEntry[]
      db.close()
      return entries
    },
    dispose: async () => {
      await store.close()
      rmSync(folder, { recursive: true })
    },
  }
})

describe("SQLite", () => {
  const opened: SqliteStore[] = []
  const folders: string[] = []
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close()
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
  })

  async function open(options: Partial<SqliteOptions> = {}) {
    const folder = newFolder()
    folders.push(folder)
    const path = options.path ?? join(folder, "parlor.db")
    const store = await openSqlite({ path, ...options })
    opened.push(store)
    return { store, path }
  }

  test("a second open of the same folder is rejected and names it", async () => {
    const { store, path } = await open()
    await expect(openSqlite({ path })).rejects.toThrow(/Another Parlor is using the folder .*parlor-sqlite-/)
    await store.close()
    const again = await open({ path })
    expect(await again.store.log.orphans(1)).toEqual([])
  })

  test("another process is rejected too", async () => {
    const { path } = await open()
    const script = `import(${JSON.stringify(built)}).then((m) => m.openSqlite({ path: ${JSON.stringify(path)} }))
      .then(() => process.exit(0), (error) => { console.log(error.message); process.exit(0) })`
    const said = execFileSync(process.execPath, ["-e", script], { encoding: "utf8" })
    expect(said).toMatch(/Another Parlor is using the folder/)
  })

  test("[LOG-4] what was committed is there after closing and opening; leases of the past are void", async () => {
    const { store, path } = await open()
    const { id, key } = await newConversation(store)
    const claim = { kind: "claim", owner: "past", ttlMs: 600_000 } as const
    await committed(store, append(id, [message("m", 1), delta("n", 0)], { lease: claim, active: true }))
    await store.close()
    const { store: again } = await open({ path })
    expect(await again.log.find(key)).toEqual({ id, key, head: 2, control: 0, epoch: 1 })
    expect(await again.log.read(id, [{ collection: "messages" }, { collection: "deltas" }])).toMatchObject({
      lists: [[{ key: "m" }], [{ key: "n/0/0" }]],
    })
    expect((await again.log.orphans(9)).map((stream) => stream.id)).toEqual([id])
    expect(await again.log.renew("past", [id], 1_000)).toEqual([id])
  })

  test("[LOG-4] killing the process at any instant loses nothing that was acknowledged", async () => {
    const folder = newFolder()
    folders.push(folder)
    const path = join(folder, "parlor.db")
    for (let round = 1; round <= 3; round++) {
      const acknowledged = await writeUntilKilled(path, round * 20)
      const { store } = await open({ path })
      const { id, head } = await store.log.ensure(crashed)
      expect(head).toBeGreaterThanOrEqual(acknowledged)
      expect((await allEvents(store, id)).map((event) => event.seq)).toEqual(
        Array.from({ length: head }, (_, i) => i + 1),
      )
      expect((await store.log.read(id, [{ collection: "deltas" }]))?.lists[0]).toHaveLength(head)
      await store.close()
    }
  }, 30_000)

  test("a database of a newer Parlor is rejected", async () => {
    const { store, path } = await open()
    await store.close()
    const db = new DatabaseSync(path)
    db.exec("UPDATE meta SET value = '999'")
    db.close()
    await expect(openSqlite({ path })).rejects.toThrow(/schema 999/)
    const untouched = new DatabaseSync(path)
    expect(untouched.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" })
    untouched.close()
  })

  test("[LOG-4] the log of a database that stored it by stream is unchanged", async () => {
    const { store, path } = await open()
    const [one, two] = [await newConversation(store), await newConversation(store)]
    for (let ord = 1; ord <= 20; ord++)
      for (const { id } of [one, two]) await committed(store, append(id, [message(`m${ord}`, ord), delta("n", ord)]))
    const before = [await allEvents(store, one.id), await allEvents(store, two.id)]
    await store.close()
    const db = new DatabaseSync(path)
    db.exec(`
      CREATE TABLE earlier (stream INTEGER NOT NULL, seq INTEGER NOT NULL, collection TEXT NOT NULL, key TEXT NOT NULL,
        op TEXT NOT NULL, value TEXT NOT NULL, txid TEXT NOT NULL, at INTEGER NOT NULL,
        PRIMARY KEY (stream, seq)) WITHOUT ROWID;
      INSERT INTO earlier SELECT * FROM events;
      DROP TABLE events;
      ALTER TABLE earlier RENAME TO events;
      ALTER TABLE rows DROP COLUMN large;
      DROP TABLE large_values;
      DROP INDEX keys_made_by;
      ALTER TABLE keys DROP COLUMN as_maker;
      ALTER TABLE keys DROP COLUMN made_by;
      UPDATE meta SET value = '3' WHERE name = 'schema';
    `)
    db.close()
    const { store: again } = await open({ path })
    expect([await allEvents(again, one.id), await allEvents(again, two.id)]).toEqual(before)
    await committed(again, append(one.id, [message("next", 21)]))
    expect((await allEvents(again, one.id)).at(-1)).toMatchObject({ seq: 41, key: "next" })
  })

  test("[LOG-2] slash commands stored under the older name of their collection are read under the new one", async () => {
    const { store, path } = await open()
    const { id } = await newConversation(store)
    await committed(store, append(id, [change("slashCommands", "order"), change("slashCommands", "help")]))
    await store.close()
    const db = new DatabaseSync(path)
    db.exec(`
      UPDATE events SET collection = 'commands' WHERE collection = 'slashCommands';
      UPDATE rows SET collection = 'commands' WHERE collection = 'slashCommands';
      UPDATE meta SET value = '12' WHERE name = 'schema';
    `)
    db.close()
    for (let round = 0; round < 2; round++) {
      const { store: again } = await open({ path })
      expect((await allEvents(again, id)).map(({ collection }) => collection)).toEqual([
        "slashCommands",
        "slashCommands",
      ])
      const rows = (await again.log.read(id, [{ collection: "slashCommands" }]))?.lists[0]
      expect(rows?.map(({ key }) => key)).toEqual(["help", "order"])
      await again.close()
    }
  })

  test("[QUE-17] rows from before outlines are read, written again and deleted", async () => {
    const { store, path } = await open()
    const { id } = await newConversation(store)
    const long = { value: JSON.stringify({ said: "x".repeat(20_000) }), outline: "{}", place: "a" }
    await committed(
      store,
      append(
        id,
        ["a", "b"].map((key) => change("queue", key, {}, long)),
      ),
    )
    await store.close()
    const db = new DatabaseSync(path)
    db.exec(`
      UPDATE rows SET value = (SELECT l.value FROM large_values l WHERE l.id = rows.large), large = NULL
        WHERE large IS NOT NULL;
      DELETE FROM large_values;
    `)
    db.close()
    const { store: again } = await open({ path })
    const read = async () =>
      (await again.log.read(id, [{ collection: "queue", outlines: true }]))?.lists[0]?.map(({ value }) => value)
    expect(await read()).toEqual([long.value, long.value])
    const update = change("queue", "a", {}, { ...long, operation: "update" })
    await committed(again, append(id, [update, change("queue", "b", {}, { operation: "delete" })]))
    expect(await read()).toEqual([long.outline])
  })

  test("[LOG-24] nothing is left of long rows that were replaced, or deleted with or without their conversation", async () => {
    const { store, path } = await open()
    const { id } = await newConversation(store)
    const long = { value: JSON.stringify({ said: "x".repeat(20_000) }), outline: "{}" }
    await committed(
      store,
      append(
        id,
        ["a", "b", "c"].map((key) => change("queue", key, {}, long)),
      ),
    )
    await committed(store, append(id, [change("queue", "a", {}, { ...long, operation: "update" })]))
    await committed(store, append(id, [change("queue", "b", {}, { operation: "update" })]))
    await committed(store, append(id, [change("queue", "c", {}, { operation: "delete" })]))
    const kept = () => {
      const db = new DatabaseSync(path, { readOnly: true })
      const rows = db.prepare("SELECT count(*) AS rows FROM large_values").get() as { readonly rows: number }
      db.close()
      return rows.rows
    }
    expect(kept()).toBe(1)
    await store.log.remove(id, { audit })
    expect(kept()).toBe(0)
  })

  test("[LOG-12] a full disk is a Fault; when there is space again, writing continues", async () => {
    const { store } = await open({ maxPages: 120 })
    const [big, small] = [await newConversation(store), await newConversation(store)]
    const fill = () => commitOne(store, append(big.id, [change("changes", "c", { text: "x".repeat(20_000) })]))
    let written = 0
    const error = await (async () => {
      for (; written < 100; written++) await fill()
    })().catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(Fault)
    expect(written).toBeGreaterThan(3)
    await expect(fill()).rejects.toBeInstanceOf(Fault)
    expect(await allEvents(store, big.id)).toHaveLength(written)

    await store.log.remove(big.id, { audit: { at: 1, person: "p", act: "remove", subject: "s" } })
    expect(
      await committed(store, append(small.id, [change("changes", "c", { text: "y".repeat(20_000) })])),
    ).toMatchObject({
      head: 1,
    })
  })

  test("when the writer thread dies, pending calls get a Fault and the next one a new thread", async () => {
    const { store } = await open()
    const { id } = await newConversation(store)
    await committed(store, append(id, [], { lease: { kind: "claim", owner: "me", ttlMs: 600_000 } }))
    const pending = Array.from({ length: 200 }, (_, i) => commitOne(store, append(id, [delta("m", i)])))
    const settled = Promise.allSettled(pending)
    await store.crashWriter()
    const outcomes = await settled
    for (const outcome of outcomes) if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(Fault)
    const durable = await allEvents(store, id)
    expect(durable.length).toBeGreaterThanOrEqual(outcomes.filter((outcome) => outcome.status === "fulfilled").length)
    expect(await committed(store, append(id, [delta("n", 0)]))).toMatchObject({ head: durable.length + 1 })
    expect(await store.log.renew("me", [id], 1_000)).toEqual([])
  })

  test("statements and connections survive garbage collection", async () => {
    setFlagsFromString("--expose-gc")
    const gc = runInNewContext("gc") as () => void
    const { store } = await open()
    const { id } = await newConversation(store)
    for (let n = 0; n < 30; n++) {
      await committed(store, append(id, [delta("m", n)]))
      gc()
      expect(await allEvents(store, id)).toHaveLength(n + 1)
      expect((await store.log.read(id, [{ collection: "deltas" }]))?.lists[0]).toHaveLength(n + 1)
    }
  })

  test("a closed store rejects with a Fault", async () => {
    const { store } = await open()
    await store.close()
    await store.close()
    await expect(store.log.commit([])).rejects.toBeInstanceOf(Fault)
    await expect(store.log.orphans(1)).rejects.toBeInstanceOf(Fault)
  })
})

const crashed = { kind: "conversation", agent: "helper", person: "crash", branch: "main" } as const

/**
 * Another process commits and reports each, until it is killed after this many commits. Returns the last head it
 * reported.
 */
async function writeUntilKilled(path: string, commits: number): Promise<number> {
  const script = `
    const { openSqlite } = await import(${JSON.stringify(built)})
    const store = await openSqlite({ path: ${JSON.stringify(path)} })
    const { id, head } = await store.log.ensure(${JSON.stringify(crashed)})
    for (let n = head; ; n++) {
      const change = { collection: "deltas", key: "m/0/" + n, operation: "insert", value: "{}", ord: null }
      const [answer] = await store.log.commit([{ stream: id, changes: [change], txid: "tx", at: 1 }])
      process.stdout.write(answer.head + "\\n")
    }`
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] })
  let said = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text
    if (said.split("\n").length > commits) child.kill("SIGKILL")
  })
  await once(child, "close")
  return Number(said.split("\n").at(-2))
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), "parlor-sqlite-"))
}
