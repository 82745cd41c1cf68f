/** Which key seals the secrets of this database (SEC-29). */
import type { Database, Statement } from "./connect.ts"

const READ: Statement = { name: "secret-key", text: "SELECT value FROM meta WHERE name = 'secret_key'" }
const FIRST = "INSERT INTO meta VALUES ('secret_key', $1) ON CONFLICT DO NOTHING"
const NEXT = "UPDATE meta SET value = $1 WHERE name = 'secret_key' AND value = $2"

export async function secretKey(db: Database): Promise<string | undefined> {
  return (await db.read<{ value: string }>(READ, []))[0]?.value
}

export function setSecretKey(db: Database, id: string, before: string | undefined): Promise<boolean> {
  return db.transaction(async (client) => {
    const written = before === undefined ? await client.query(FIRST, [id]) : await client.query(NEXT, [id, before])
    return written.rowCount === 1
  })
}
