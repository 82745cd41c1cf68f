/** Converts a row of the `keys` table to the port's `KeyRecord`. Scopes are stored as JSON text. */
import type { KeyRecord } from "@parlor/core"

export type KeyRow = {
  readonly id: string
  readonly person: string
  readonly name: string
  readonly hash: string
  readonly scopes: string
  readonly act_for: string | null
  readonly created_at: number
  readonly expires_at: number | null
  readonly revoked_at: number | null
  /** A number in SQLite. */
  readonly as_maker: boolean | number
  readonly made_by: string | null
}

export const KEY_COLUMNS =
  "id, person, name, hash, scopes, act_for, created_at, expires_at, revoked_at, as_maker, made_by"

export function toKey(row: KeyRow): KeyRecord {
  return {
    id: row.id,
    person: row.person,
    name: row.name,
    hash: row.hash,
    scopes: JSON.parse(row.scopes) as KeyRecord["scopes"],
    actFor: row.act_for,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    asMaker: Boolean(row.as_maker),
    madeBy: row.made_by,
  }
}

export function keyCells(key: KeyRecord): (string | number | null)[] {
  const { id, person, name, hash, actFor, createdAt, expiresAt, revokedAt, asMaker, madeBy } = key
  const scopes = JSON.stringify(key.scopes)
  return [id, person, name, hash, scopes, actFor, createdAt, expiresAt, revokedAt, asMaker ? 1 : 0, madeBy]
}

/** The key, the keys it created, those that they created, and so on. */
export function madeFrom(id: string): string {
  return `WITH RECURSIVE ended (id) AS (
    SELECT ${id} UNION SELECT keys.id FROM keys JOIN ended ON keys.made_by = ended.id
  )`
}

export type EndedKey = { readonly id: string; readonly revoked_at: number | null }
