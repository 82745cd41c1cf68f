/** The log, by page. One statement reads head and events, so both are from the same moment. */
import type { EventPage } from "@parlor/core"
import type { Operation, StoredChange, TxId } from "@parlor/protocol"
import { collectionName } from "../collection-name.ts"
import type { Database } from "./connect.ts"

type Cells = readonly [number, number | null, string, string, Operation, string, string, number]

export class EventReads {
  readonly db: Database
  readonly #page

  constructor(db: Database) {
    this.db = db
    this.#page = db.prepare(
      `SELECT s.head, e.seq, e.collection, e.key, e.op, e.value, e.txid, e.at
       FROM streams s LEFT JOIN events e ON e.stream = s.id AND e.seq > ?2
       WHERE s.id = ?1 ORDER BY e.seq LIMIT ?3`,
    )
    this.#page.setReturnArrays(true)
  }

  page(id: number, after: number, bounds: { readonly count: number; readonly bytes: number }): EventPage | undefined {
    let head: number | undefined
    let bytes = 0
    const changes: StoredChange[] = []
    for (const cells of this.#page.iterate(id, after, Math.max(bounds.count, 1)) as Iterable<Cells>) {
      const [streamHead, seq, collection, key, operation, value, txid, at] = cells
      head = streamHead
      if (seq === null) break
      bytes += Buffer.byteLength(value)
      if (changes.length > 0 && bytes > bounds.bytes) break
      changes.push({ seq, collection: collectionName(collection), key, operation, value, txid: txid as TxId, at })
    }
    return head === undefined ? undefined : { head, changes }
  }
}
