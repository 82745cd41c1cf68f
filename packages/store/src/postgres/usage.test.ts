import { ONCE_KEPT_MS } from "@parlor/core"
import pg from "pg"
import { describe, expect, test } from "vitest"
import { freshDatabase } from "../../../../test/support/postgres.ts"
import { expireKeys, fillOld, keepUp } from "../../test/old-store.ts"
import { filesFunction } from "./functions/files.ts"
import { storedFunction } from "./functions/stored.ts"
import { openPostgres } from "./open.ts"

describe("what is stored, on PostgreSQL", () => {
  test("[LOG-31] [SEC-42] an older database is counted after it is opened, by several nodes at once", async () => {
    await withDatabase(async (url, admin) => {
      const first = await openPostgres({ url })
      const { person, stored } = await fillOld(first)
      await first.close()
      await countAnew(admin)
      const nodes = await Promise.all([openPostgres({ url }), openPostgres({ url })])
      expect(await nodes[0]?.usage.stored(person)).toEqual({ ...stored, conversationBytes: 0 })
      await Promise.all(nodes.map(keepUp))
      expect(await nodes[0]?.usage.stored(person)).toEqual(stored)
      await Promise.all(nodes.map((node) => node.close()))
    })
  }, 60_000)

  test("[QUE-11] an idempotency key expires after seven days, and is deleted", async () => {
    await withDatabase(async (url, admin) => {
      const store = await openPostgres({ url })
      await expireKeys(store, async (key, daysAgo) => {
        await admin.query("UPDATE once SET at = at - $1 WHERE key = $2", [(daysAgo * ONCE_KEPT_MS) / 7, key])
      })
      const { rows } = await admin.query<{ key: string }>("SELECT key FROM once ORDER BY key")
      expect(rows.map(({ key }) => key)).toEqual(["again", "young"])
      await store.close()
    })
  }, 60_000)
})

async function withDatabase(work: (url: string, admin: pg.Client) => Promise<void>): Promise<void> {
  const database = await freshDatabase()
  const admin = new pg.Client({ connectionString: database.url, options: "-c search_path=parlor" })
  try {
    await admin.connect()
    await work(database.url, admin)
  } finally {
    await admin.end()
    await database.drop()
  }
}

/** As before the steps that count, and then those steps. */
async function countAnew(admin: pg.Client): Promise<void> {
  await admin.query("DROP TABLE stored, contents_held")
  const functions = await admin.query<{ name: string }>(
    `SELECT oid::regprocedure AS name FROM pg_proc WHERE pronamespace = 'parlor'::regnamespace
     AND (proname LIKE 'parlor_stored_%' OR proname LIKE 'parlor_%_contents' OR proname LIKE 'parlor_count%'
       OR proname = 'parlor_commit_counted')`,
  )
  for (const { name } of functions.rows) await admin.query(`DROP FUNCTION ${name} CASCADE`)
  await admin.query("ALTER TABLE streams DROP COLUMN bytes, DROP COLUMN uncounted, DROP COLUMN files")
  await admin.query("ALTER TABLE once DROP COLUMN at")
  await admin.query(storedFunction(Date.now()))
  await admin.query(filesFunction)
}
