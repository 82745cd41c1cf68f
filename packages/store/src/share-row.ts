/** Converts a row of the `shares` table to the port's `ShareRecord`. What is only read with it is JSON text. */
import type { ShareRecord } from "@parlor/core"

export type ShareRow = {
  readonly id: string
  readonly person: string
  readonly stream: number
  readonly viewer: string | null
  readonly created_at: number
  readonly expires_at: number | null
  readonly revoked_at: number | null
  readonly value: string
}

export const SHARE_COLUMNS = "id, person, stream, viewer, created_at, expires_at, revoked_at, value"

type Value = Pick<ShareRecord, "agent" | "branch" | "hash" | "upTo" | "shows">

export function toShare(row: ShareRow): ShareRecord {
  const { agent, branch, hash, upTo, shows } = JSON.parse(row.value) as Value
  return {
    id: row.id,
    person: row.person,
    stream: row.stream as ShareRecord["stream"],
    agent,
    branch,
    viewer: row.viewer,
    hash,
    upTo,
    shows,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  }
}

export function shareCells(share: ShareRecord): (string | number | null)[] {
  const { id, person, stream, viewer, createdAt, expiresAt, revokedAt, agent, branch, hash, upTo, shows } = share
  const value = JSON.stringify({ agent, branch, hash, upTo, shows } satisfies Value)
  return [id, person, stream, viewer, createdAt, expiresAt, revokedAt, value]
}

/** PostgreSQL uses `$1` for `?1`, the time. */
export const IS_ACTIVE = "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?1)"
