/**
 * Streams: found, created, leased and removed. Imports are streams that are adopted when they are complete and removed
 * when they are abandoned (LOG-28). What a removed stream had is deleted slice by slice (`leftovers.ts`).
 *
 * Leases are compared with the database's clock, because the nodes' own clocks may disagree.
 */
import type { Adoption, Append, Appended, AuditEntry, EventLog, Stream, StreamKey } from "@parlor/core"
import { Bug, type Millis, type StreamId } from "@parlor/protocol"
import type { PoolClient } from "pg"
import { ONCE_MS } from "../stored-row.ts"
import { keyColumns, STREAM_COLUMNS, type StreamRow, toStream, UNCLAIMED_MS } from "../stream-row.ts"
import { type AnswerRow, COMMIT, commit, countBatch, encodeBatch, toAppended } from "./append.ts"
import { releaseBlobs } from "./blobs.ts"
import { addAudit, type Database, type Statement, Undone } from "./connect.ts"
import { shareName } from "./functions/link.ts"
import { freeLeft, isSmallStream, leave } from "./leftovers.ts"
import { events, read } from "./rows.ts"
import { lockTriggers, releaseTriggers } from "./triggers.ts"
import { trim } from "./trim.ts"

const FIND: Statement = {
  name: "find",
  text: `SELECT ${STREAM_COLUMNS} FROM streams WHERE kind = $1 AND agent = $2 AND person = $3 AND branch = $4`,
}

const INSERT: Statement = {
  name: "insert-stream",
  text: `INSERT INTO streams (kind, agent, person, branch, created_at)
    VALUES ($1, $2, $3, $4, (extract(epoch FROM clock_timestamp()) * 1000)::bigint) ON CONFLICT DO NOTHING
    RETURNING ${STREAM_COLUMNS}`,
}

const BLANK = "UPDATE events SET value = $4 WHERE stream = $1 AND collection = $2 AND key = $3"
const PARTS = ["events", "rows", "streaming", "once", "search_texts", "shares"] as const

const STREAMS: Statement = {
  name: "streams-of",
  text: `SELECT ${STREAM_COLUMNS} FROM streams WHERE person = $1 ORDER BY kind = 'feed', id LIMIT $2`,
}

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

const PERSON = "SELECT person FROM streams WHERE id = $1"
const NAME = `SELECT ${shareName("$1")}`
const LOCK = "SELECT id, kind, head, control, branch, person FROM streams WHERE id = ANY($1) ORDER BY id FOR UPDATE"
const KNOWN = `SELECT hash, answer, seq FROM once WHERE stream = $1 AND key = $2
  AND at > (extract(epoch FROM clock_timestamp()) * 1000)::bigint - ${ONCE_MS}`
const MOVES = ["triggers", "once", "shares"].map((table) => `UPDATE ${table} SET stream = $1 WHERE stream = $2`)
const PLACE = "UPDATE streams SET kind = 'conversation', branch = $2, owner = NULL, lease_until = 0 WHERE id = $1"
const LOCK_CONTENTS = "SELECT 1 FROM contents_held WHERE person = $1 AND hash = ANY($2) ORDER BY hash FOR UPDATE"
const ATTACH = "INSERT INTO attachments VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING"
const UNHOLD = "DELETE FROM blob_holds WHERE stream = $1 AND hash = $2"

/** Another node may be deleting or adopting the same one: then it is left alone. */
const ABANDONED = `SELECT id FROM streams, (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now) t
  WHERE kind = 'import' AND lease_until <= now AND (epoch > 0 OR created_at <= now - ${UNCLAIMED_MS})
  ORDER BY id LIMIT 1 FOR UPDATE OF streams SKIP LOCKED`

export function logPart(db: Database): EventLog {
  return {
    find: (key) => find(db, key),
    ensure: (key) => ensure(db, key),
    streamsOf: (person, limit) => streamsOf(db, person, limit),
    commit: (batch) => commit(db, batch),
    remove: (stream, options) => remove(db, stream, options),
    adopt: (imported, adoption) => adopt(db, imported, adoption),
    freeSlice: () => freeSlice(db),
    trim: (options) => trim(db, options),
    read: (stream, queries) => read(db, stream, queries),
    events: (stream, after, bounds) => events(db, stream, after, bounds),
    renew: (owner, streams, ttlMs) => renew(db, owner, streams, ttlMs),
    orphans: (limit) => orphans(db, limit),
  }
}

async function find(db: Database, key: StreamKey): Promise<Stream | undefined> {
  const [row] = await db.lookUp<StreamRow>(FIND, [...keyColumns(key)])
  return row && toStream(row)
}

async function ensure(db: Database, key: StreamKey): Promise<Stream> {
  const known = await find(db, key)
  if (known !== undefined) return known
  const [row] = await db.write<StreamRow>(INSERT, [...keyColumns(key)])
  // Another node created it at the same moment.
  return row === undefined ? ensure(db, key) : toStream(row)
}

/** A rejected feed append undoes the removal. */
async function remove(
  db: Database,
  stream: StreamId,
  options: { readonly feed?: Append; readonly audit?: AuditEntry },
): Promise<Appended | undefined> {
  const { feed, audit } = options
  const refused = new RefusedFeed()
  try {
    return await db.transaction(async (client) => {
      // Locked in the order of the ids, as in a commit.
      const ids = feed === undefined ? [stream] : [stream, feed.stream]
      await client.query("SELECT 1 FROM streams WHERE id = ANY($1) ORDER BY id FOR UPDATE", [ids])
      if (!(await removeStream(client, stream))) return undefined
      const answers = feed && (await client.query<AnswerRow>({ ...COMMIT, values: [encodeBatch([feed])] }))
      const answer = answers?.rows[0] && toAppended(answers.rows[0])
      refused.answer = answer
      if (answer && !answer.ok) throw refused
      for (const change of feed?.changes ?? [])
        if (change.operation === "delete")
          await client.query(BLANK, [feed?.stream, change.collection, change.key, change.value])
      if (audit !== undefined) await addAudit(client, audit)
      return answer
    })
  } catch (error) {
    if (error === refused) return refused.answer
    throw error
  }
}

/** A long one only loses its row, its triggers and its shares: the rest is freed later. Its row is locked. */
async function removeStream(client: PoolClient, stream: StreamId): Promise<boolean> {
  if (await isSmallStream(client, stream)) return dropStream(client, stream)
  await lockTriggers(client, stream)
  await releaseTriggers(client, stream)
  await client.query("DELETE FROM shares WHERE stream = $1", [stream])
  return leave(client, stream)
}

/**
 * A stream whose row is locked, with everything that belongs to it. Rows that others may have locked are locked before
 * anything is counted; the stream's row is deleted last, because it names the person. False if there is no such stream.
 */
export async function dropStream(client: PoolClient, stream: StreamId): Promise<boolean> {
  const known = await client.query("SELECT 1 FROM streams WHERE id = $1", [stream])
  if (known.rowCount === 0) return false
  await lockTriggers(client, stream)
  for (const table of PARTS) await client.query(`DELETE FROM ${table} WHERE stream = $1`, [stream])
  await releaseBlobs(client, stream)
  await releaseTriggers(client, stream)
  await client.query("DELETE FROM streams WHERE id = $1", [stream])
  return true
}

/** For a node that has just started: whatever it owned before, it does not run now. */
export async function voidLeases(db: Database, owner: string): Promise<void> {
  await db.write(VOID, [owner])
}

async function renew(db: Database, owner: string, streams: readonly StreamId[], ttlMs: number): Promise<StreamId[]> {
  const renewed = await db.write<{ id: StreamId }>(RENEW, [owner, streams, ttlMs])
  const held = new Set(renewed.map((row) => row.id))
  return streams.filter((stream) => !held.has(stream))
}

export async function now(db: Database): Promise<Millis> {
  const [row] = await db.lookUp<{ readonly now: Millis }>(NOW, [])
  if (row === undefined) throw new Bug("the database did not say what time it is")
  return row.now
}

async function orphans(db: Database, limit: number): Promise<Stream[]> {
  return (await db.read<StreamRow>(ORPHANS, [limit])).map(toStream)
}

async function streamsOf(db: Database, person: string, limit: number): Promise<Stream[]> {
  return (await db.read<StreamRow>(STREAMS, [person, limit])).map(toStream)
}

type Line = {
  readonly id: StreamId
  readonly kind: string
  readonly head: number
  readonly control: number
  readonly branch: string
  readonly person: string
}

function adopt(db: Database, imported: StreamId, adoption: Adoption): Promise<Appended> {
  const { over, append } = adoption
  return db.transaction(async (client): Promise<Appended> => {
    // Names are locked before streams, and streams in the order of their ids.
    const [owner] = (await client.query<{ person: string }>(PERSON, [over.id])).rows
    if (owner === undefined) return { ok: false, why: "gone" }
    await client.query(NAME, [owner.person])
    const ids = [imported, over.id, ...(append.feed === undefined ? [] : [append.feed.stream])]
    const lines = new Map((await client.query<Line>(LOCK, [ids])).rows.map((line) => [line.id, line]))
    const place = lines.get(over.id)
    if (place?.kind !== "conversation" || lines.get(imported)?.kind !== "import") return { ok: false, why: "gone" }
    const known = append.once && (await client.query<Known>(KNOWN, [over.id, append.once.key])).rows[0]
    if (known !== undefined) return { ok: false, why: "repeated", ...known }
    if (place.head !== over.head || place.control !== over.control) return { ok: false, why: "moved" }
    // Rows that others may have locked are locked before anything is counted (`functions/stored.ts`).
    await lockTriggers(client, over.id)
    await client.query(LOCK_CONTENTS, [place.person, adoption.attachments.map(({ hash }) => hash)])
    const { rows } = await client.query<AnswerRow>({ ...COMMIT, values: [encodeBatch([append])] })
    const answer = rows[0] && toAppended(rows[0])
    if (!answer?.ok) return answer ?? { ok: false, why: "gone" }
    await countBatch(client, [append], rows)
    await takePlace(client, imported, place, adoption.attachments)
    return answer
  })
}

type Known = { readonly hash: string; readonly answer: string; readonly seq: number }

async function takePlace(
  client: PoolClient,
  imported: StreamId,
  place: Line,
  attachments: Adoption["attachments"],
): Promise<void> {
  for (const move of MOVES) await client.query(move, [imported, place.id])
  await dropStream(client, place.id)
  await client.query(PLACE, [imported, place.branch])
  for (const { hash, name, mediaType, bytes, at, held } of attachments) {
    await client.query(ATTACH, [place.person, hash, name, mediaType, bytes, at])
    if (!held) await client.query(UNHOLD, [imported, hash])
  }
}

/** False if there was nothing to delete. */
function freeSlice(db: Database): Promise<boolean> {
  return db.transaction(async (client) => {
    const [found] = (await client.query<{ id: StreamId }>(ABANDONED)).rows
    return found === undefined ? freeLeft(client) : removeStream(client, found.id)
  })
}

class RefusedFeed extends Undone {
  answer: Appended | undefined
}
