import type { Store } from "@parlor/core"
import pg from "pg"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type FreshDatabase, freshDatabase } from "../../../../test/support/postgres.ts"
import { memory } from "../../test/contract-memories.ts"
import { append, change, committed, message, newConversation } from "../../test/fixtures.ts"
import { openPostgres } from "./open.ts"

const NOW = 1_700_000_000_000
const asked = { limit: 10, now: NOW }

describe("search in PostgreSQL", () => {
  let database: FreshDatabase
  let store: Store
  let admin: pg.Client
  beforeEach(async () => {
    database = await freshDatabase()
    store = await openPostgres({ url: database.url })
    admin = new pg.Client({ connectionString: database.url, options: "-c search_path=parlor" })
    await admin.connect()
  })
  afterEach(async () => {
    await admin.end()
    await store.close()
    await database.drop()
  })

  test("[CPT-7] among very many texts, the newest of a common word and all of a rare one are found", async () => {
    const stream = await newConversation(store)
    const { person } = stream.key
    await committed(store, append(stream.id, [message("first", 1, { text: "common rare", at: NOW })]))
    const fill = `INSERT INTO search_texts (stream, person, kind, key, agent, ord, at, length, line)
      SELECT $1, person, 'message', 'old' || i, agent, i, at, 4, CASE i % 10 WHEN 0 THEN 'some words' ELSE 'common:2 some' END
      FROM search_texts, generate_series(1, 12000) i`
    await admin.query(fill, [stream.id])
    const newest = Array.from({ length: 300 }, (_, i) => message(`new${i}`, i, { text: `common some n${i}`, at: NOW }))
    await committed(store, append(stream.id, newest))
    await store.memories.put(person, memory("rare-note", { scope: "project", body: "common" }), 10)
    for (let n = 0; n < 30; n++)
      await store.memories.put(person, memory(`own${n}`, { body: "common some", updatedAt: 1 }), 50)
    const keys = async (words: string, agent?: string) => {
      const hits = await store.search.find(person, words, { ...asked, ...(agent === undefined ? {} : { agent }) })
      return hits.map((hit) => (hit.kind === "memory" ? hit.name : hit.key))
    }
    const last = Array.from({ length: 10 }, (_, i) => `new${299 - i}`)
    expect(await keys("common")).toEqual(last)
    expect(await keys("common some")).toEqual(last)
    expect(await keys("common", "helper")).toEqual(last)
    expect((await keys("rare")).sort()).toEqual(["first", "rare-note"])
    expect((await keys("common rare")).sort()).toEqual(["first", "rare-note"])
    expect(await keys("rare", "helper")).toEqual(["first"])
    expect(await keys("common", "nobody")).toEqual([])
    expect((await keys("absent n7 common"))[0]).toBe("new7")
    expect(await keys("n12")).toEqual(["new12", ...[129, 128, 127, 126, 125, 124, 123, 122, 121].map((i) => `new${i}`)])
  }, 60_000)

  test("[CPT-7] complete messages of a database older than search are found", async () => {
    const stream = await newConversation(store)
    const old = (key: string, state: string, text: string) =>
      change("messages", key, { state, at: NOW, parts: [{ type: "text", text }] }, { ord: 1 })
    const rows = Array.from({ length: 1_100 }, (_, i) => old(`m${i}`, "done", `word number${i}`))
    await committed(store, append(stream.id, [...rows, old("s", "streaming", "word"), old("t", "truncated", "word")]))
    await store.close()
    await backToFirstSchema(admin)
    store = await openPostgres({ url: database.url })
    const many = { limit: 2_000, now: NOW }
    expect(await store.search.find(stream.key.person, "word", many)).toHaveLength(1_101)
    expect(await store.search.find(stream.key.person, "number1099", many)).toMatchObject([
      { key: "m1099", ord: 1, at: NOW },
    ])
    await committed(store, append(stream.id, [message("new", 2, { text: "word" })]))
    expect(await store.search.find(stream.key.person, "word", many)).toHaveLength(1_102)
  })
})

const FIRST_TABLES = ["streams", "events", "rows", "streaming", "once", "keys", "audit", "meta"]
const FIRST_FUNCTIONS = ["parlor_write", "parlor_commit"]

async function backToFirstSchema(admin: pg.Client): Promise<void> {
  const tables = await admin.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'parlor' AND tablename <> ALL($1)",
    [FIRST_TABLES],
  )
  for (const { name } of tables.rows) await admin.query(`DROP TABLE ${name} CASCADE`)
  const functions = await admin.query<{ name: string }>(
    "SELECT oid::regprocedure AS name FROM pg_proc WHERE pronamespace = 'parlor'::regnamespace AND proname <> ALL($1)",
    [FIRST_FUNCTIONS],
  )
  for (const { name } of functions.rows) await admin.query(`DROP FUNCTION ${name} CASCADE`)
  await admin.query("DROP INDEX streams_person")
  await admin.query("ALTER TABLE keys DROP COLUMN as_maker, DROP COLUMN made_by")
  await admin.query("ALTER TABLE streams DROP COLUMN bytes, DROP COLUMN uncounted")
  await admin.query("ALTER TABLE once DROP COLUMN at")
  await admin.query("UPDATE meta SET value = '1' WHERE name = 'schema'")
}
