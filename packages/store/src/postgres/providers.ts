/** Connected model providers (MOD-15). A change, its number and its audit entry are one transaction. */
import { type AuditEntry, PROVIDERS_CHANGED, type ProviderRecord, type Providers } from "@parlor/core"
import type { PoolClient } from "pg"
import { PROVIDER_COLUMNS, type ProviderRow, providerCells, toProvider } from "../provider-row.ts"
import { addAudit, type Database, type Statement } from "./connect.ts"
import type { Watch } from "./notify/watch.ts"

const ALL: Statement = { name: "providers", text: `SELECT ${PROVIDER_COLUMNS} FROM providers ORDER BY provider` }
const VERSION: Statement = { name: "providers-version", text: "SELECT value FROM meta WHERE name = 'providers'" }
const PUT = `INSERT INTO providers (${PROVIDER_COLUMNS}) VALUES ($1, $2, $3)
  ON CONFLICT (provider) DO UPDATE SET secret = excluded.secret, value = excluded.value`
const REMOVE = "DELETE FROM providers WHERE provider = $1"
const COUNT = `INSERT INTO meta VALUES ('providers', '1')
  ON CONFLICT (name) DO UPDATE SET value = meta.value::bigint + 1 RETURNING value`

export function providersPart(db: Database, watch: Pick<Watch, "notify">): Providers {
  const change = async (work: (client: PoolClient) => Promise<boolean>, audit: AuditEntry): Promise<boolean> => {
    const version = await db.transaction(async (client) => {
      if (!(await work(client))) return undefined
      const counted = await client.query<{ value: string }>(COUNT)
      await addAudit(client, audit)
      return Number(counted.rows[0]?.value)
    })
    if (version !== undefined) watch.notify(PROVIDERS_CHANGED, version)
    return version !== undefined
  }
  return {
    all: () => allProviders(db),
    version: async () => Number((await db.read<{ value: string }>(VERSION, []))[0]?.value ?? 0),
    put: async (record, audit) => {
      await change(async (client) => (await client.query(PUT, providerCells(record))).rowCount === 1, audit)
    },
    remove: (provider, audit) =>
      change(async (client) => (await client.query(REMOVE, [provider])).rowCount === 1, audit),
  }
}

async function allProviders(db: Database): Promise<ProviderRecord[]> {
  return (await db.read<ProviderRow>(ALL, [])).map(toProvider)
}
