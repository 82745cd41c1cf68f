import { ONCE_KEPT_MS, type Store } from "@parlor/core"
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

describe("rates that servers share", () => {
  test("[SEC-44] a bucket is one for all servers, never too far ahead, and deleted when it is full", async () => {
    await withDatabase(async (url, admin) => {
      const [a, b] = await Promise.all([openPostgres({ url }), openPostgres({ url })])
      const take = async (store: Store, cost: number, { agoMs = 0, key = "sends ana" } = {}) =>
        (await store.shareRates?.(new Map([[key, { cost, agoMs }]])))?.get(key)
      expect(await take(a, 0)).toBeUndefined()
      expect(await take(a, 200_000)).toBe(200_000)
      const seen = (await take(b, 0)) ?? 0
      expect(seen).toBeLessThanOrEqual(200_000)
      expect(seen).toBeGreaterThan(100_000)
      // From when it will be full, not from when the calls began.
      const after = (await take(b, 200_000, { agoMs: 5_000 })) ?? 0
      expect(after).toBeGreaterThan(seen + 100_000)
      expect(after).toBeLessThanOrEqual(400_000)
      const refunded = (await take(a, -200_000)) ?? 0
      expect(refunded).toBeLessThanOrEqual(200_000)
      for (const store of [a, b, a]) await take(store, 500_000)
      expect(await take(b, 0)).toBeLessThanOrEqual(600_000)
      expect(await take(b, 100_000, { agoMs: 40_000, key: "sends bob" })).toBe(60_000)
      expect(await take(b, 1, { agoMs: 1_000, key: "sends cem" })).toBeUndefined()
      const count = async () =>
        (await admin.query<{ n: number }>("SELECT count(*)::int AS n FROM call_rates")).rows[0]?.n
      expect(await count()).toBe(3)
      await keepUp(a)
      expect(await count()).toBe(2)
      const { rows } = await admin.query("SELECT * FROM call_rates")
      expect(JSON.stringify(rows.map(({ key }) => String(key)))).not.toContain("ana")
      await Promise.all([a.close(), b.close()])
    })
  }, 60_000)

  test("[SEC-44] servers that report the same buckets at the same moment lose nothing", async () => {
    await withDatabase(async (url) => {
      const stores = await Promise.all([openPostgres({ url }), openPostgres({ url })])
      const keys = Array.from({ length: 50 }, (_, n) => `sends p${n}`)
      const report = (store: Store, order: readonly string[]) =>
        store.shareRates?.(new Map(order.map((key) => [key, { cost: 10_000, agoMs: 0 }])))
      await Promise.all(
        stores.flatMap((store) =>
          Array.from({ length: 10 }, (_, n) => report(store, n % 2 ? keys : keys.toReversed())),
        ),
      )
      const ahead = await stores[0]?.shareRates?.(new Map(keys.map((key) => [key, { cost: 0, agoMs: 0 }])))
      expect(ahead?.size).toBe(keys.length)
      for (const ms of ahead?.values() ?? []) {
        expect(ms).toBeLessThanOrEqual(200_000)
        expect(ms).toBeGreaterThan(100_000)
      }
      await Promise.all(stores.map((store) => store.close()))
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
