/** Leases are compared with the database's clock, because the nodes' own clocks may disagree. */
import type { Stream } from "@parlor/core"
import { Bug, type Millis, type StreamId } from "@parlor/protocol"
import { STREAM_COLUMNS, type StreamRow, toStream } from "../stream-row.ts"
import type { Database, Statement } from "./connect.ts"

const NOW_MS = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

/**
 * An expired lease that nobody took still belongs to this owner: a takeover would have changed the owner. Locked in the
 * order of the ids, as in a commit.
 */
const RENEW: Statement = {
  name: "renew",
  text: `WITH held AS (SELECT id FROM streams WHERE id = ANY($2) AND owner = $1 ORDER BY id FOR UPDATE)
    UPDATE streams SET lease_until = ${NOW_MS} + $3 FROM held WHERE streams.id = held.id RETURNING streams.id`,
}

const ORPHANS: Statement = {
  name: "orphans",
  text: `SELECT ${STREAM_COLUMNS} FROM streams WHERE active AND (owner IS NULL OR lease_until <= ${NOW_MS})
    ORDER BY id LIMIT $1`,
}

const NOW: Statement = { name: "now", text: `SELECT ${NOW_MS} AS now` }

const VOID: Statement = {
  name: "void leases",
  text: "UPDATE streams SET owner = NULL, lease_until = 0 WHERE owner = $1",
}

/** For a node that has just started: whatever it owned before, it does not run now. */
export async function voidLeases(db: Database, owner: string): Promise<void> {
  await db.write(VOID, [owner])
}

export async function renew(
  db: Database,
  owner: string,
  streams: readonly StreamId[],
  ttlMs: number,
): Promise<StreamId[]> {
  const renewed = await db.write<{ id: StreamId }>(RENEW, [owner, streams, ttlMs])
  const held = new Set(renewed.map((row) => row.id))
  return streams.filter((stream) => !held.has(stream))
}

export async function now(db: Database): Promise<Millis> {
  const [row] = await db.read<{ readonly now: Millis }>(NOW, [])
  if (row === undefined) throw new Bug("the database did not say what time it is")
  return row.now
}

export async function orphans(db: Database, limit: number): Promise<Stream[]> {
  return (await db.read<StreamRow>(ORPHANS, [limit])).map(toStream)
}
