/**
 * The log of every conversation and feed, the rows it folds to, and who owns a conversation.
 *
 * `commit` is the only write of the log. It takes appends of many conversations and carries them out in one
 * transaction, in order, each completely or not at all:
 *
 * - numbers are assigned under the stream's row lock, so they have no gaps and follow commit order (LOG-1);
 * - `expect` rejects an append whose decision was made on an older control counter;
 * - `epoch` rejects an owner that was replaced, and `batch` a repetition after an unclear failure;
 * - current rows and feed rows are written in the same transaction (LOG-5).
 */

import type { Address, Collection, Millis, Operation, StoredChange, StreamId, TxId } from "@parlor/protocol"
import type { AuditEntry } from "./audit.ts"
import type { Attachment } from "./blobs.ts"
import type { Spending } from "./usage.ts"

export type StreamKey =
  | ({ readonly kind: "conversation" } & Address)
  /** An import while it is being written: in no list and at no address. Its branch is a unique id. */
  | ({ readonly kind: "import" } & Address)
  | { readonly kind: "feed"; readonly person: string }

export type Stream = {
  readonly id: StreamId
  readonly key: StreamKey
  /** The number of the last event. */
  readonly head: number
  /** Changes when a row that decisions read changes. */
  readonly control: number
  /** Increases with each takeover; a write with an older one is rejected. */
  readonly epoch: number
}

export type RowChange = {
  readonly collection: Collection
  readonly key: string
  readonly operation: Operation
  /** The row as JSON text: stored and passed on unchanged. */
  readonly value: string
  /** Orders rows of a collection that is read by page; null if order does not matter. */
  readonly ord: number | null
  /** Orders rows of a collection that is read from its front: compared as text, byte by byte. */
  readonly place?: string
  /**
   * What decisions read instead of a long row (QUE-17). A row that is written again without one has none.
   */
  readonly outline?: string
  /** The text that full-text search indexes for this row; omitted for rows it does not cover. Null removes it. */
  readonly text?: string | null
  /** The time of that text, if it differs from the time of writing. */
  readonly at?: Millis
  /** Set on a message row that stops streaming: its deltas are deleted. */
  readonly dropsDeltasOf?: string
}

/** `force`: even if another owner is alive; it is fenced from then on. */
export type Claim = { readonly kind: "claim"; readonly owner: string; readonly ttlMs: number; readonly force?: boolean }

export type Append = {
  readonly stream: StreamId
  readonly changes: readonly RowChange[]
  readonly txid: TxId
  readonly at: Millis
  readonly expect?: number
  readonly epoch?: number
  /** The owner's own number for its writes under `epoch`, from 1. A number already written is skipped. */
  readonly batch?: number
  readonly lease?: Claim | { readonly kind: "release" }
  /** Whether the conversation has work, so that a sweep finds it if its owner is gone. */
  readonly active?: boolean
  readonly once?: { readonly key: string; readonly hash: string; readonly answer: string }
  readonly feed?: { readonly stream: StreamId; readonly changes: readonly RowChange[] }
  /** Added to the ledger in the same transaction, unless the append is rejected or was carried out before (SEC-20). */
  readonly spent?: readonly Spending[]
}

export type Appended =
  | {
      readonly ok: true
      readonly head: number
      readonly control: number
      readonly epoch: number
      readonly feedHead: number
      /** The batch was already in the store; nothing was written now. */
      readonly skipped: boolean
    }
  | { readonly ok: false; readonly why: "moved" | "fenced" | "owned" | "gone" }
  | {
      readonly ok: false
      readonly why: "repeated"
      readonly hash: string
      readonly answer: string
      readonly seq: number
    }

export type Adoption = {
  /** The empty conversation, as read before. */
  readonly over: Pick<Stream, "id" | "head" | "control">
  readonly append: Append
  /** Contents of the import that become attachments of its person. `held`: the conversation holds them as well. */
  readonly attachments: readonly (Attachment & { readonly held: boolean })[]
}

export type StoredRow = {
  readonly collection: Collection
  readonly key: string
  readonly ord: number | null
  readonly value: string
}

/**
 * Which rows to read: a whole collection, the one under `key`, a page by `ord`, or the ends of an order by `place`.
 *
 * `newest` goes down from the end, or from below (`before`, `beforeKey`); `oldest` goes up from `after`. Rows with the
 * same `ord` are ordered by key. `first` and `last` return that many rows from either end by `place`, each list
 * starting at its end. `count` returns one row whose value is the number of rows. Without any of these, rows are
 * ordered by key, starting after `afterKey`. `outlines` returns a row's outline instead of its value, if it has one.
 *
 * `bytes` ends a list early: at most this many bytes of values, but at least one row if there is one (LOG-25).
 */
export type RowQuery = {
  readonly collection: Collection
  readonly key?: string
  readonly newest?: number
  readonly before?: number
  readonly beforeKey?: string
  readonly oldest?: number
  readonly after?: number
  readonly first?: number
  readonly last?: number
  readonly count?: true
  readonly outlines?: true
  readonly afterKey?: string
  readonly bytes?: number
}

export type RowsRead = {
  readonly stream: Stream
  /** One list per query, in the order requested. */
  readonly lists: readonly (readonly StoredRow[])[]
  /** The indexes of the queries whose lists ended early because of `bytes`. */
  readonly cut: readonly number[]
}

export type EventPage = { readonly head: number; readonly changes: readonly StoredChange[] }

/** Anything that can read rows: a store, or a part of one in tests. */
export type RowReader = { readonly log: Pick<EventLog, "read"> }

/** What a slice dropped: events, and the bytes of their rows. */
export type Trimmed = {
  readonly events: number
  readonly bytes: number
  /** Whether there may be more to drop. */
  readonly more: boolean
}

export interface EventLog {
  find(key: StreamKey): Promise<Stream | undefined>
  /** Finds the stream or creates it empty. */
  ensure(key: StreamKey): Promise<Stream>
  /** One person's streams: conversations first, the feed last. */
  streamsOf(person: string, limit: number): Promise<readonly Stream[]>
  commit(batch: readonly Append[]): Promise<readonly Appended[]>
  /**
   * Deletes the stream, and writes `feed` in the same transaction. From then on nothing finds it; what a long one had is
   * deleted by `freeSlice`. Earlier events in the feed's log about a key that `feed` deletes are replaced by the row of
   * that deletion (SEC-11).
   */
  remove(
    stream: StreamId,
    options: { readonly feed?: Append; readonly audit?: AuditEntry },
  ): Promise<Appended | undefined>

  /**
   * Replaces an empty conversation with an import: in one transaction `append` is written to the import, which gets the
   * conversation's address, keys and triggers, and the conversation is deleted. Rejected as `moved` if the conversation
   * was written to since, and as `repeated` if its idempotency key was used there before.
   */
  adopt(imported: StreamId, options: Adoption): Promise<Appended>
  /**
   * Deletes what removed conversations left, and abandoned imports, whose lease has ended: one small slice, so that no
   * write waits long (LOG-24). False if there was nothing to delete.
   */
  freeSlice(): Promise<boolean>

  /**
   * Drops events that nobody needs anymore from logs that were written to longer ago than this: one small slice
   * (LOG-36 to LOG-38). Numbers stay as they are, so a log may have gaps.
   */
  trim(options: { readonly graceMs: Millis }): Promise<Trimmed>

  /** Rows at one moment. Undefined if there is no such stream. */
  read(stream: StreamId, queries: readonly RowQuery[]): Promise<RowsRead | undefined>
  /** Events after number `after`, limited in number and bytes (at least one if there is one). */
  events(
    stream: StreamId,
    after: number,
    bounds: { readonly count: number; readonly bytes: number },
  ): Promise<EventPage | undefined>

  /** Extends the leases this owner still holds; returns those it has lost. */
  renew(owner: string, streams: readonly StreamId[], ttlMs: number): Promise<readonly StreamId[]>
  /** Conversations that have work and no living owner. */
  orphans(limit: number): Promise<readonly Stream[]>
}
