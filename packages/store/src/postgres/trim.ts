/**
 * Drops events that nobody needs anymore, a slice at a time (LOG-36 to LOG-38).
 *
 * One node at a time: the slice holds a lock of the schema. A stream that is being written to is left for the next time.
 */
import type { Trimmed } from "@parlor/core"
import { ADD_STORED, EVENT_OVERHEAD } from "../stored-row.ts"
import {
  TRIM_EVENTS,
  TRIM_NEXT,
  TRIM_STREAMING,
  TRIM_TOLD,
  type TrimEvent,
  type TrimLine,
  trimEnd,
  trimRound,
  trimSlice,
} from "../trim.ts"
import type { Database } from "./connect.ts"

/** An arbitrary number, the same in every version. */
const TRIM_LOCK = 7_220_452
const LOCK = `SELECT pg_try_advisory_xact_lock(${TRIM_LOCK}, hashtext(current_schema())) AS mine,
  (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now`
const NEXT = `${dollars(TRIM_NEXT)} FOR UPDATE SKIP LOCKED`
const STREAMING = dollars(TRIM_STREAMING)
const TOLD = dollars(TRIM_TOLD).replace("{upTo}", "(value::json ->> 'upTo')::bigint")
const EVENTS = dollars(TRIM_EVENTS).replace("{state}", "e.value::json ->> 'state'")
const DROP = "DELETE FROM events WHERE stream = $1 AND seq = ANY($2)"
const NOTE = "UPDATE streams SET bytes = bytes - $2, trimmed = $3, kept = $4, trim_to = $5, trim_at = $6 WHERE id = $1"
const ADD = `INSERT INTO stored (person, conversation_bytes) VALUES ($1, $2) ${ADD_STORED}`

const NOTHING: Trimmed = { events: 0, bytes: 0, more: false }

export function trim(db: Database, { graceMs }: { readonly graceMs: number }): Promise<Trimmed> {
  return db.transaction(async (client) => {
    const [lock] = (await client.query<{ mine: boolean; now: number }>(LOCK)).rows
    if (!lock?.mine) return NOTHING
    const { now } = lock
    const [line] = (await client.query<TrimLine & { trim_at: number }>(NEXT, [now - graceMs])).rows
    if (line === undefined) return NOTHING
    const [streaming] = (await client.query<{ first: number | null }>(STREAMING, [line.id])).rows
    const end = trimEnd(line, streaming?.first ?? null)
    const events = (await client.query<TrimEvent>(EVENTS, [line.id, line.trimmed, end])).rows
    const isFeed = line.kind === "feed"
    const told = isFeed ? (await client.query<{ told: number | null }>(TOLD, [line.person])).rows[0]?.told : null
    const slice = trimSlice(line, events, { end, told: told ?? null, now })
    const { drop, trimmed, kept, bytes } = slice
    if (drop.length > 0) await client.query(DROP, [line.id, drop])
    const counted = isFeed ? 0 : bytes + drop.length * EVENT_OVERHEAD
    const next = slice.isLast ? trimRound(line, slice, now) : { trimmed, kept, to: line.trim_to, at: line.trim_at }
    await client.query(NOTE, [line.id, counted, next.trimmed, next.kept, next.to, next.at])
    // Rows of `stored` are locked last (`functions/stored.ts`).
    if (counted > 0) await client.query(ADD, [line.person, -counted])
    return { events: drop.length, bytes, more: true }
  })
}

function dollars(text: string): string {
  return text.replaceAll("?", "$")
}
