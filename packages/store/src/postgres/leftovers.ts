/** Deletes what removed streams left, a slice at a time (LOG-24). Within transactions. */
import type { StreamId } from "@parlor/protocol"
import type { PoolClient } from "pg"
import {
  FREED,
  isSmall,
  LEAVE,
  LEFT,
  SLICE_BLOBS,
  SLICE_BYTES,
  SLICE_ROWS,
  STREAM_SIZE,
  type StreamSize,
} from "../leftover-row.ts"
import { releaseLeftBlobs } from "./blobs.ts"

export const LEFTOVERS_STEP = `
  CREATE TABLE IF NOT EXISTS leftovers (
    stream bigint PRIMARY KEY,
    person text COLLATE "C" NOT NULL
  );
  CREATE INDEX IF NOT EXISTS leftovers_person ON leftovers (person);
`

/** Another node may be freeing the same one: then it is left alone. */
const NEXT = `${dollars(LEFT)} FOR UPDATE SKIP LOCKED`

const SLICES = [
  slice("search_texts", "0"),
  slice("events", "pg_column_size(value)"),
  slice("rows", "pg_column_size(value)"),
  slice("once", "0"),
  slice("streaming", "0"),
]

export async function isSmallStream(client: PoolClient, stream: StreamId): Promise<boolean> {
  const [size] = (await client.query<StreamSize>(dollars(STREAM_SIZE), [stream])).rows
  return size === undefined || isSmall(size)
}

/** False if there is no such stream. */
export async function leave(client: PoolClient, stream: StreamId): Promise<boolean> {
  if ((await client.query(dollars(LEAVE), [stream])).rowCount === 0) return false
  await client.query("DELETE FROM streams WHERE id = $1", [stream])
  return true
}

/** False if nothing is left, or others are freeing it. */
export async function freeLeft(client: PoolClient): Promise<boolean> {
  const [left] = (await client.query<{ stream: StreamId; person: string }>(NEXT)).rows
  if (left === undefined) return false
  for (const text of SLICES) if (((await client.query(text, [left.stream])).rowCount ?? 0) > 0) return true
  if (await releaseLeftBlobs(client, left, SLICE_BLOBS)) return true
  await client.query(dollars(FREED), [left.stream])
  return true
}

/** The first entries of a stream, up to about the bytes of a slice; at least one. */
function slice(table: string, bytes: string): string {
  return `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
    SELECT place FROM (
      SELECT place, sum(size) OVER (ORDER BY n) - size AS before FROM (
        SELECT ctid AS place, ${bytes} AS size, row_number() OVER () AS n FROM ${table} WHERE stream = $1 LIMIT ${SLICE_ROWS}
      ) AS sized
    ) AS summed WHERE before < ${SLICE_BYTES}))`
}

function dollars(text: string): string {
  return text.replaceAll("?", "$")
}
