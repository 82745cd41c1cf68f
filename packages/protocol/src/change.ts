/**
 * A change event: one line of the log (LOG-2), as the State Protocol writes it.
 *
 * `value` is kept as the JSON text it was stored as. Encoding is a concatenation, so every reader on every node and
 * transport gets the same bytes (LOG-6).
 */
import { z } from "zod"
import { type Collection, collections, type RowOf } from "./collections.ts"
import type { Millis, TxId } from "./ids.ts"
import { formatOffset } from "./offset.ts"

export type Operation = "insert" | "update" | "delete"

/** What a decision wants written. */
export type NewChange = {
  [C in Collection]: {
    readonly collection: C
    readonly key: string
    readonly operation: Operation
    /** The full new row; for a delete, the last row, without the text if it is a queued message (QUE-18). Never null. */
    readonly row: RowOf<C>
  }
}[Collection]

/** A change as stored. */
export type StoredChange = {
  readonly seq: number
  readonly collection: string
  readonly key: string
  readonly operation: Operation
  readonly value: string
  readonly txid: TxId
  readonly at: Millis
}

export const changeEvent = z.object({
  type: z.enum(Object.keys(collections) as [Collection, ...Collection[]]),
  key: z.string(),
  value: z.record(z.string(), z.json()),
  headers: z.object({
    operation: z.enum(["insert", "update", "delete"]),
    txid: z.string(),
    timestamp: z.string(),
    offset: z.string(),
  }),
})

/** A change on the wire, typed by its collection. */
export type ChangeEvent = {
  [C in Collection]: {
    readonly type: C
    readonly key: string
    readonly value: RowOf<C>
    readonly headers: {
      readonly operation: Operation
      readonly txid: string
      readonly timestamp: string
      readonly offset: string
    }
  }
}[Collection]

/** A stored change in wire form, without serializing and parsing it. */
export function changeOf(change: StoredChange): ChangeEvent {
  return {
    type: change.collection,
    key: change.key,
    value: JSON.parse(change.value),
    headers: {
      operation: change.operation,
      txid: change.txid,
      timestamp: timestamp(change.at),
      offset: formatOffset(change.seq, change.txid),
    },
  } as ChangeEvent
}

export function encodeChange(change: StoredChange): string {
  return (
    `{"type":${JSON.stringify(change.collection)},"key":${JSON.stringify(change.key)},"value":${change.value},` +
    `"headers":{"operation":"${change.operation}","txid":${JSON.stringify(change.txid)},` +
    `"timestamp":"${timestamp(change.at)}","offset":"${formatOffset(change.seq, change.txid)}"}}`
  )
}

let lastAt = Number.NaN
let lastText = ""

/** All changes of one write have the same time. */
function timestamp(at: Millis): string {
  if (at !== lastAt) {
    lastText = new Date(at).toISOString()
    lastAt = at
  }
  return lastText
}
