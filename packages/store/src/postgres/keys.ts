/** Keys people sign in with. A change and its audit line are one transaction. */
import type { AuditEntry, KeyRecord } from "@parlor/core"
import { KEY_COLUMNS, type KeyRow, keyCells, toKey } from "../key-row.ts"
import { auditCells, INSERT_AUDIT } from "./audit.ts"
import type { Database, Statement } from "./connect.ts"

const OF_PERSON: Statement = {
  name: "keys",
  text: `SELECT ${KEY_COLUMNS} FROM keys WHERE person = $1 ORDER BY created_at, id`,
}
const BY_HASH: Statement = { name: "key-by-hash", text: `SELECT ${KEY_COLUMNS} FROM keys WHERE hash = $1` }
const BY_HASHES: Statement = { name: "keys-by-hash", text: `SELECT ${KEY_COLUMNS} FROM keys WHERE hash = ANY($1)` }
const ADD = `INSERT INTO keys (${KEY_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`
/** A key that was revoked before keeps its first date. */
const REVOKE = "UPDATE keys SET revoked_at = coalesce(revoked_at, $1) WHERE person = $2 AND id = $3"

export async function keys(db: Database, person: string): Promise<KeyRecord[]> {
  return (await db.read<KeyRow>(OF_PERSON, [person])).map(toKey)
}

export async function findKey(db: Database, hash: string): Promise<KeyRecord | undefined> {
  const [row] = await db.read<KeyRow>(BY_HASH, [hash])
  return row && toKey(row)
}

export async function findKeys(db: Database, hashes: readonly string[]): Promise<KeyRecord[]> {
  return (await db.read<KeyRow>(BY_HASHES, [hashes])).map(toKey)
}

export async function addKey(db: Database, key: KeyRecord, audit: AuditEntry): Promise<void> {
  await db.transaction(async (client) => {
    await client.query(ADD, keyCells(key))
    await client.query({ ...INSERT_AUDIT, values: auditCells(audit) })
  })
}

export function revokeKey(db: Database, person: string, id: string, audit: AuditEntry): Promise<boolean> {
  return db.transaction(async (client) => {
    const revoked = await client.query(REVOKE, [audit.at, person, id])
    if (revoked.rowCount === 0) return false
    await client.query({ ...INSERT_AUDIT, values: auditCells(audit) })
    return true
  })
}
