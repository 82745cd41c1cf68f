/** The contract on tables that are split by their partition key: every query that matters has it. */
import type { AuditEntry } from "@parlor/core"
import pg from "pg"
import { expect, test } from "vitest"
import { freshDatabase } from "../../../../test/support/postgres.ts"
import { storeContract } from "../../test/contract.ts"
import { partitionByStream } from "../../test/hash-partitions.ts"
import { openPostgres } from "./open.ts"

async function partitioned() {
  const database = await freshDatabase()
  await (await openPostgres({ url: database.url })).close()
  return { ...database, tables: await partitionByStream(database.url) }
}

storeContract("PostgreSQL, hash-partitioned by stream", async () => {
  const database = await partitioned()
  const store = await openPostgres({ url: database.url })
  return {
    store,
    readAudit: async () => {
      const client = new pg.Client({ connectionString: database.url })
      await client.connect()
      const { rows } = await client.query<AuditEntry>("SELECT at, person, act, subject FROM parlor.audit ORDER BY id")
      await client.end()
      return rows
    },
    dispose: async () => {
      await store.close()
      await database.drop()
    },
  }
})

test("[OPS-29] the tables that grow with conversations can be partitioned by stream, and a lookup reads one partition", async () => {
  const { url, drop, tables } = await partitioned()
  expect(tables).toEqual(expect.arrayContaining(["events", "once", "rows", "streaming"]))
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ "QUERY PLAN": string }>(
      "EXPLAIN SELECT seq FROM parlor.events WHERE stream = 7 AND seq > 3 ORDER BY seq LIMIT 9",
    )
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n")
    expect(plan.match(/\bon events_\d/g)).toHaveLength(1)
  } finally {
    await client.end()
    await drop()
  }
})
