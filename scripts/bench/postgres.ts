/** A PostgreSQL for measurements, with everything that a crash needs, and what it counts. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import pg from "pg"
import { freshDatabase, startPostgres } from "../../test/support/postgres.ts"
import { cpuMs } from "./machine.ts"
import type { Database } from "./systems.ts"

const COUNTERS = `
  SELECT (SELECT wal_bytes FROM pg_stat_wal)::float8 / 1024 AS wal,
    (SELECT sum(xact_commit) FROM pg_stat_database)::float8 AS transactions,
    current_setting('data_directory') AS folder`

export type BenchDatabase = Database & { remove(): Promise<void> }

export async function startDatabase(): Promise<BenchDatabase> {
  const server = await startPostgres({ flags: ["fsync=on", "shared_buffers=512MB", "max_wal_size=4GB"] })
  return {
    fresh: async () => (await freshDatabase(server.url)).url,
    async counters() {
      const client = new pg.Client({ connectionString: server.url })
      await client.connect()
      try {
        const { rows } = await client.query<{ wal: number; transactions: number; folder: string }>(COUNTERS)
        const { wal = 0, transactions = 0, folder = "" } = rows[0] ?? {}
        const pid = Number(readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n", 1)[0])
        return { "WAL KB": wal, transactions, "CPU ms of PostgreSQL": cpuMs([pid]) }
      } finally {
        await client.end()
      }
    },
    remove: () => server.remove(),
  }
}
