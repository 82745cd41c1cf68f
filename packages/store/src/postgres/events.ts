/** The log, by page. One statement reads head and events, so both are from the same moment. */
import type { EventPage } from "@parlor/core"
import type { Operation, StreamId, TxId } from "@parlor/protocol"
import { collectionName } from "../collection-name.ts"
import type { Database, Statement } from "./connect.ts"

type Line = {
  readonly head: number
  readonly seq: number | null
  readonly collection: string
  readonly key: string
  readonly op: Operation
  readonly value: string
  readonly txid: string
  readonly at: number
}

const PAGE: Statement = {
  name: "events",
  text: `
    WITH candidates AS (
      SELECT seq, collection, key, op, value, txid, at FROM events
      WHERE stream = $1 AND seq > $2 ORDER BY seq LIMIT $3
    ), page AS (
      SELECT *, sum(octet_length(value)) OVER (ORDER BY seq) AS bytes, row_number() OVER (ORDER BY seq) AS place
      FROM candidates
    )
    SELECT s.head, p.seq, p.collection, p.key, p.op, p.value, p.txid, p.at
    FROM streams s LEFT JOIN page p ON p.bytes <= $4 OR p.place = 1
    WHERE s.id = $1 ORDER BY p.seq`,
}

export async function events(
  db: Database,
  stream: StreamId,
  after: number,
  bounds: { readonly count: number; readonly bytes: number },
): Promise<EventPage | undefined> {
  const lines = await db.read<Line>(PAGE, [stream, after, Math.max(bounds.count, 1), bounds.bytes])
  const [first] = lines
  if (first === undefined) return undefined
  const changes = lines.flatMap(({ seq, collection, key, op, value, txid, at }) =>
    seq === null
      ? []
      : [{ seq, collection: collectionName(collection), key, operation: op, value, txid: txid as TxId, at }],
  )
  return { head: first.head, changes }
}
