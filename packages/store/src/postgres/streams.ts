/** Finds, creates and removes streams. */
import type { Append, Appended, AuditEntry, Stream, StreamKey } from "@parlor/core"
import type { StreamId } from "@parlor/protocol"
import type { PoolClient } from "pg"
import { keyColumns, STREAM_COLUMNS, type StreamRow, toStream } from "../stream-row.ts"
import { type AnswerRow, COMMIT, encodeBatch, toAppended } from "./append.ts"
import { auditCells, INSERT_AUDIT } from "./audit.ts"
import { releaseBlobs } from "./blobs.ts"
import type { Database, Statement } from "./connect.ts"
import { Undone } from "./faults.ts"
import { lockTriggers, releaseTriggers } from "./triggers.ts"

const FIND: Statement = {
  name: "find",
  text: `SELECT ${STREAM_COLUMNS} FROM streams WHERE kind = $1 AND agent = $2 AND person = $3 AND branch = $4`,
}

const INSERT: Statement = {
  name: "insert-stream",
  text: `INSERT INTO streams (kind, agent, person, branch, created_at)
    VALUES ($1, $2, $3, $4, (extract(epoch FROM clock_timestamp()) * 1000)::bigint) ON CONFLICT DO NOTHING`,
}

const BLANK = "UPDATE events SET value = $4 WHERE stream = $1 AND collection = $2 AND key = $3"
const PARTS = ["events", "rows", "streaming", "once", "search_texts"] as const

export async function find(db: Database, key: StreamKey): Promise<Stream | undefined> {
  const [row] = await db.read<StreamRow>(FIND, [...keyColumns(key)])
  return row && toStream(row)
}

export async function ensure(db: Database, key: StreamKey): Promise<Stream> {
  const known = await find(db, key)
  if (known !== undefined) return known
  await db.write(INSERT, [...keyColumns(key)])
  const [row] = await db.write<StreamRow>(FIND, [...keyColumns(key)])
  // Removed by another node at the same moment: create it again.
  return row === undefined ? ensure(db, key) : toStream(row)
}

/** A rejected feed append undoes the removal. */
export async function remove(
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
      if (!(await dropStream(client, stream))) return undefined
      const answers = feed && (await client.query<AnswerRow>({ ...COMMIT, values: [encodeBatch([feed])] }))
      const answer = answers?.rows[0] && toAppended(answers.rows[0])
      refused.answer = answer
      if (answer && !answer.ok) throw refused
      for (const change of feed?.changes ?? [])
        if (change.operation === "delete")
          await client.query(BLANK, [feed?.stream, change.collection, change.key, change.value])
      if (audit !== undefined) await client.query({ ...INSERT_AUDIT, values: auditCells(audit) })
      return answer
    })
  } catch (error) {
    if (error === refused) return refused.answer
    throw error
  }
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

class RefusedFeed extends Undone {
  answer: Appended | undefined
}
