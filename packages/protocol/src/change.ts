/** A change event: one line of the log (LOG-2), as the State Protocol writes it. */
import { z } from "zod"
import { type Collection, collections, type RowOf } from "./collections.ts"
import type { Millis, TxId } from "./ids.ts"

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
    /** These are left out if they follow from the event before in the same response or frame. */
    txid: z.string().optional(),
    timestamp: z.string().optional(),
    offset: z.string().optional(),
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
