/** Splits the tables of a PostgreSQL database by their partition key, as an operator of a large installation may do. */
import pg from "pg"

const PARTITIONS = 4

/** Every table whose primary key starts with the stream: what grows with conversations, and nothing else does. */
const TABLES = `
  SELECT c.relname AS name FROM pg_index i
  JOIN pg_class c ON c.oid = i.indrelid
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
  WHERE i.indisprimary AND c.relnamespace = 'parlor'::regnamespace AND c.relkind = 'r' AND a.attname = 'stream'
  ORDER BY c.relname`

const TRIGGERS = `
  SELECT pg_get_triggerdef(oid) AS definition FROM pg_trigger
  WHERE tgrelid = to_regclass('parlor.' || $1) AND NOT tgisinternal`

/** The names of the tables. No server may be connected. */
export async function partitionByStream(url: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query("SET search_path = parlor")
    const { rows: tables } = await client.query<{ name: string }>(TABLES)
    for (const { name } of tables) await partition(client, name)
    return tables.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

async function partition(client: pg.Client, name: string): Promise<void> {
  const { rows: triggers } = await client.query<{ definition: string }>(TRIGGERS, [name])
  const parts = Array.from(
    { length: PARTITIONS },
    (_, n) => `CREATE TABLE ${name}_${n} PARTITION OF ${name} FOR VALUES WITH (MODULUS ${PARTITIONS}, REMAINDER ${n});`,
  )
  await client.query(`
    BEGIN;
    ALTER TABLE ${name} RENAME TO ${name}_whole;
    CREATE TABLE ${name} (LIKE ${name}_whole INCLUDING ALL) PARTITION BY HASH (stream);
    ${parts.join("\n")}
    INSERT INTO ${name} SELECT * FROM ${name}_whole;
    DROP TABLE ${name}_whole;
    ${triggers.map(({ definition }) => `${definition};`).join("\n")}
    COMMIT`)
}
