/**
 * API keys, and which key seals the secrets of this database (SEC-29). A change of an API key and its audit entry are
 * one transaction.
 */
import type { AuditEntry, KeyRecord, Keys, SecretKeys } from "@parlor/core"
import { type EndedKey, KEY_COLUMNS, type KeyRow, keyCells, madeFrom, toKey } from "../key-row.ts"
import { addAudit, type Database, type Statement } from "./connect.ts"

const OF_PERSON: Statement = {
  name: "keys",
  text: `SELECT ${KEY_COLUMNS} FROM keys WHERE person = $1 ORDER BY created_at, id`,
}
const BY_HASH: Statement = { name: "key-by-hash", text: `SELECT ${KEY_COLUMNS} FROM keys WHERE hash = $1` }
const BY_HASHES: Statement = { name: "keys-by-hash", text: `SELECT ${KEY_COLUMNS} FROM keys WHERE hash = ANY($1)` }
const ADD = `INSERT INTO keys (${KEY_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::int <> 0, $11)`
/** Creating a key with another and revoking that one wait for each other: both lock the person's row. */
const ADD_PERSON = "INSERT INTO people (person) VALUES ($1) ON CONFLICT DO NOTHING"
const LOCK_PERSON = "SELECT 1 FROM people WHERE person = $1 FOR UPDATE"
const MAKER = "SELECT 1 FROM keys WHERE id = $1 AND revoked_at IS NULL"
const OWN = "SELECT 1 FROM keys WHERE person = $1 AND id = $2"
const ENDED = `${madeFrom(`$1::text COLLATE "C"`)} SELECT keys.id, revoked_at FROM keys JOIN ended ON keys.id = ended.id`
/** A key that was already revoked keeps its first date. */
const REVOKE = "UPDATE keys SET revoked_at = $1 WHERE id = ANY($2) AND revoked_at IS NULL"

const READ: Statement = { name: "secret-key", text: "SELECT value FROM meta WHERE name = 'secret_key'" }
const FIRST = "INSERT INTO meta VALUES ('secret_key', $1) ON CONFLICT DO NOTHING"
const NEXT = "UPDATE meta SET value = $1 WHERE name = 'secret_key' AND value = $2"

export function keysPart(db: Database): Keys {
  return {
    of: (person) => keysOf(db, person),
    find: (hash) => findKey(db, hash),
    findAll: (hashes) => findKeys(db, hashes),
    add: (key, audit) => addKey(db, key, audit),
    revoke: (person, id, audit) => revokeKey(db, person, id, audit),
  }
}

export function secretKeys(db: Database): SecretKeys {
  return {
    secretKey: () => secretKey(db),
    setSecretKey: (id, before) => setSecretKey(db, id, before),
  }
}

async function keysOf(db: Database, person: string): Promise<KeyRecord[]> {
  return (await db.read<KeyRow>(OF_PERSON, [person])).map(toKey)
}

async function findKey(db: Database, hash: string): Promise<KeyRecord | undefined> {
  const [row] = await db.lookUp<KeyRow>(BY_HASH, [hash])
  return row && toKey(row)
}

async function findKeys(db: Database, hashes: readonly string[]): Promise<KeyRecord[]> {
  return (await db.lookUp<KeyRow>(BY_HASHES, [hashes])).map(toKey)
}

async function addKey(db: Database, key: KeyRecord, audit: AuditEntry): Promise<boolean> {
  return db.transaction(async (client) => {
    if (key.madeBy !== null) {
      await client.query(ADD_PERSON, [key.person])
      await client.query(LOCK_PERSON, [key.person])
      if ((await client.query(MAKER, [key.madeBy])).rowCount === 0) return false
    }
    await client.query(ADD, keyCells(key))
    await addAudit(client, audit)
    return true
  })
}

function revokeKey(db: Database, person: string, id: string, audit: AuditEntry): Promise<readonly string[]> {
  return db.transaction(async (client) => {
    if ((await client.query(OWN, [person, id])).rowCount === 0) return []
    await client.query(ADD_PERSON, [person])
    await client.query(LOCK_PERSON, [person])
    const others = (await client.query<EndedKey>(ENDED, [id])).rows.filter((key) => key.id !== id)
    const ended = [id, ...others.map((key) => key.id)]
    await client.query(REVOKE, [audit.at, ended])
    await addAudit(client, audit)
    for (const key of others) if (key.revoked_at === null) await addAudit(client, { ...audit, subject: key.id })
    return ended
  })
}

async function secretKey(db: Database): Promise<string | undefined> {
  return (await db.read<{ value: string }>(READ, []))[0]?.value
}

function setSecretKey(db: Database, id: string, before: string | undefined): Promise<boolean> {
  return db.transaction(async (client) => {
    const written = before === undefined ? await client.query(FIRST, [id]) : await client.query(NEXT, [id, before])
    return written.rowCount === 1
  })
}
