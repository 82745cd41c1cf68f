/**
 * What removed streams left: their events, rows, keys, texts and holds, without a row in `streams`. So nothing finds
 * them, and they are deleted slice by slice (LOG-24). Numbers of streams are never used again.
 */

/** Entries deleted at a time, and about how many bytes: takes a few milliseconds. */
export const SLICE_ROWS = 250
export const SLICE_BYTES = 1024 * 1024
export const SLICE_BLOBS = 1

/** A stream with no more than this is deleted at once. */
const SMALL_EVENTS = 250
const SMALL_BYTES = 256 * 1024
const SMALL_HOLDS = 20

export type StreamSize = {
  readonly head: number
  readonly bytes: number
  /** Contents that it holds, at most one more than a small one may, and their bytes. */
  readonly holds: number
  readonly held: number
}

/** PostgreSQL uses `$1` for `?1`. */
export const STREAM_SIZE = `
  SELECT s.head, s.bytes, count(h.hash) AS holds, coalesce(sum(b.bytes), 0) AS held
  FROM streams s LEFT JOIN (SELECT hash FROM blob_holds WHERE stream = ?1 LIMIT ${SMALL_HOLDS + 1}) AS h ON true
    LEFT JOIN blobs b ON b.hash = h.hash
  WHERE s.id = ?1 GROUP BY s.head, s.bytes`

export const LEAVE = "INSERT INTO leftovers (stream, person) SELECT id, person FROM streams WHERE id = ?1"
export const LEFT = "SELECT stream, person FROM leftovers ORDER BY stream LIMIT 1"
export const FREED = "DELETE FROM leftovers WHERE stream = ?1"

/** Whether anything of a person is still to be freed. */
export const LEFT_OF = "SELECT 1 AS one FROM leftovers WHERE person = ?1 LIMIT 1"

export function isSmall({ head, bytes, holds, held }: StreamSize): boolean {
  return head <= SMALL_EVENTS && bytes <= SMALL_BYTES && holds <= SMALL_HOLDS && Number(held) <= SLICE_BYTES
}
