/** The doctor's view of a PostgreSQL database, while any number of servers use it. */
import { Client, types } from "pg"
import { OperatorError } from "../operator-error.ts"
import { checkSchema } from "../postgres/migrations.ts"
import { type Cell, type Dialect, type DoctorDatabase, NOT_MIGRATED } from "./doctor-database.ts"

const INT8 = 20
const NUMERIC = 1700
const NUMBERS: ReadonlySet<number> = new Set([INT8, NUMERIC])

const sql: Dialect = {
  rowValue: "r.value",
  joinValues: "",
  field: (value, name) => `(${value}::json ->> '${name}')`,
  leftovers: [],
}

export async function openPostgresDoctor(url: string, schema = "parlor"): Promise<DoctorDatabase> {
  const client = new Client({
    connectionString: url,
    application_name: "parlor doctor",
    options: `-c search_path=${schema}`,
    types: { getTypeParser: (oid, format) => (NUMBERS.has(oid) ? Number : types.getTypeParser(oid, format)) },
  })
  await client.connect()
  try {
    const { isMigrated } = await checkSchema(client)
    if (!isMigrated) throw new OperatorError(NOT_MIGRATED)
  } catch (error) {
    await client.end()
    throw error
  }
  const all = async <R>(text: string, values: readonly Cell[] = []): Promise<R[]> =>
    (await client.query(text.replace(/\?(\d)/g, "$$$1"), [...values])).rows as R[]
  const within = async <T>(begin: string, work: () => Promise<T>): Promise<T> => {
    await client.query(begin)
    try {
      const result = await work()
      await client.query("COMMIT")
      return result
    } catch (error) {
      await client.query("ROLLBACK")
      throw error
    }
  }
  return {
    sql,
    isAlone: false,
    all,
    // PostgreSQL checks its pages itself, with data checksums and pg_amcheck.
    integrity: async () => [],
    now: async () =>
      (await all<{ now: number }>("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now"))[0]?.now ?? 0,
    snapshot: (work) => within("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", work),
    transaction: (work) => within("BEGIN", work),
    lockStream: async (stream) => {
      await all("SELECT 1 FROM streams WHERE id = ?1 FOR UPDATE", [stream])
    },
    putRow: async (stream, { collection, key, ord, place = null, value, outline = null }, seq) => {
      await all(
        `INSERT INTO rows (stream, collection, key, ord, place, value, seq, outline)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)`,
        [stream, collection, key, ord, place, value, seq, outline],
      )
    },
    deleteRow: async (stream, collection, key) => {
      await all("DELETE FROM rows WHERE stream = ?1 AND collection = ?2 AND key = ?3", [stream, collection, key])
    },
    close: () => client.end(),
  }
}
