/** What is passed between the main thread and the threads of the writer and of searches, besides batches (`wire.ts`). */
import type { SearchInput } from "../search.ts"
import type { KeptFirings } from "../triggers.ts"
import type { WriteParts } from "./write-parts.ts"

/** An error as passed between threads. */
export type WireError = { readonly outside: boolean; readonly message: string }

export type WorkerSettings = {
  readonly path: string
  readonly voidLeases: boolean
  readonly maxPages?: number
  readonly kept: KeptFirings
  /** Not 0: the thread has to end before its next call, as if it had died. */
  readonly doom?: Int32Array<SharedArrayBuffer>
}

/** The number of the reply that says whether the worker could start. */
export const READY = 0

/** Number, part, method, arguments. */
export type Call = readonly [number, keyof WriteParts | typeof CLOSE, string, readonly unknown[]]

/** To the search thread: number and input, or the close message. */
export type SearchCall = readonly [number, SearchInput] | typeof CLOSE
export const CLOSE = "close"

/** Number of the call, whether it succeeded, result or error. */
export type Reply = readonly [number, true, unknown] | readonly [number, false, WireError]

/**
 * Result codes that mean the outside failed: BUSY, LOCKED, NOMEM, READONLY, INTERRUPT, IOERR, CORRUPT, FULL, CANTOPEN,
 * PROTOCOL, NOTADB.
 */
const OUTSIDE: ReadonlySet<number> = new Set([5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 26])

export function toWireError(error: unknown): WireError {
  const message = error instanceof Error ? error.message : String(error)
  return { outside: isOutside(error), message }
}

function isOutside(error: unknown): boolean {
  if (!(error instanceof Error) || !("errcode" in error)) return false
  return typeof error.errcode === "number" && OUTSIDE.has(error.errcode & 0xff)
}
