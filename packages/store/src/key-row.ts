/** A line of the `keys` table as the port's `KeyRecord`. Scopes are kept as JSON text. */
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
}

export const KEY_COLUMNS = "id, person, name, hash, scopes, act_for, created_at, expires_at, revoked_at"

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
  }
}

export function keyCells(key: KeyRecord): (string | number | null)[] {
  const { id, person, name, hash, actFor, createdAt, expiresAt, revokedAt } = key
  return [id, person, name, hash, JSON.stringify(key.scopes), actFor, createdAt, expiresAt, revokedAt]
}
