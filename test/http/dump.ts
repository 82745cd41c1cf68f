/** Reads a store's tables directly. */
import { DatabaseSync } from "@photostructure/sqlite"
import pg from "pg"

export type Tables = Readonly<Record<string, readonly string[]>>

export function dumpSqlite(path: string): Tables {
  const db = new DatabaseSync(path, { readOnly: true })
  const names = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").all()
  const tables: Record<string, readonly string[]> = {}
  for (const { name } of names as { name: string }[]) {
    const all = db.prepare(`SELECT * FROM "${name}"`)
    // The full-text index uses 64-bit integers.
    all.setReadBigInts(true)
    tables[name] = all
      .all()
      .map((row) => JSON.stringify(row, (_, cell) => (typeof cell === "bigint" ? Number(cell) : cell)))
  }
  db.close()
  return tables
}

export async function dumpPostgres(url: string): Promise<Tables> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const found = await client.query<{ place: string; name: string }>(
    `SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS place, tablename AS name FROM pg_tables
      WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  )
  const tables: Record<string, readonly string[]> = {}
  for (const { place, name } of found.rows)
    tables[name] = (await client.query(`SELECT * FROM ${place}`)).rows.map((row) => JSON.stringify(row))
  await client.end()
  return tables
}

/** The tables with a row that contains this text. */
export function tablesWith(tables: Tables, text: string): readonly string[] {
  return Object.keys(tables).filter((name) => tables[name]?.some((row) => row.includes(text)))
}
