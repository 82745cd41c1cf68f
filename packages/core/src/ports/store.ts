/**
 * What Parlor asks of a store. SQLite and PostgreSQL answer it alike; `storeContract` in @parlor/store says how.
 *
 * `commit` is the one write of the log. It takes appends of many conversations and carries them out in one transaction,
 * in order, each wholly or not at all:
 *
 * - numbers are taken under the stream's row lock, so they have no gaps and follow commit order (LOG-1);
 * - `expect` refuses an append whose decision was made on an older control counter;
 * - `epoch` refuses an owner that was replaced, and `batch` one that repeats itself after an unclear failure;
 * - current rows and feed rows are written in the same transaction (LOG-5).
 *
 * A promise that resolves means durable. A store that cannot be reached rejects with `Fault`.
 */

import type { Address, Collection, Millis, Operation, Scope, StoredChange, StreamId, TxId } from "@parlor/protocol"
import type { AuditEntry } from "./audit.ts"
import type { Attachment, Blobs } from "./blobs.ts"
import type { Deletions } from "./deletions.ts"
import type { Ledger, Spending } from "./ledger.ts"
import type { Links } from "./links.ts"
import type { Memories } from "./memories.ts"
import type { SecretKeys } from "./seal.ts"
import type { Search } from "./search.ts"
import type { StoredBytes } from "./stored.ts"
import type { Triggers } from "./triggers.ts"

export type { AuditEntry } from "./audit.ts"

export type StreamKey =
  | ({ readonly kind: "conversation" } & Address)
  /** An import while it is being written: in no list and at no address. Its branch is an id of its own. */
  | ({ readonly kind: "import" } & Address)
  | { readonly kind: "feed"; readonly person: string }

export type Stream = {
  readonly id: StreamId
  readonly key: StreamKey
  /** The number of the last event. */
  readonly head: number
  /** Moves when a row that decisions look at changes. */
  readonly control: number
  /** Rises with each take-over; a write with an older one is refused. */
  readonly epoch: number
}

export type RowChange = {
  readonly collection: Collection
  readonly key: string
  readonly operation: Operation
  /** The row as JSON text: stored and sent on as it is. */
  readonly value: string
  /** Orders rows of a collection that is read by page; null where order does not matter. */
  readonly ord: number | null
  /** Orders rows of a collection that is read from its front: compared as text, byte by byte. */
  readonly place?: string
  /**
   * What decisions read in place of a row that is long (QUE-17). A row that is written again without one has none.
   */
  readonly outline?: string
  /** What full-text search finds this row by; none for rows it does not know. Null takes it out. */
  readonly text?: string | null
  /** When that text was said, where it is not when it is written. */
  readonly at?: Millis
  /** Set on a message row that stops streaming: its deltas are dropped. */
  readonly dropsDeltasOf?: string
}

/** `force`: also when another owner is alive; it is fenced from then on. */
export type Claim = { readonly kind: "claim"; readonly owner: string; readonly ttlMs: number; readonly force?: boolean }

export type Append = {
  readonly stream: StreamId
  readonly changes: readonly RowChange[]
  readonly txid: TxId
  readonly at: Millis
  readonly expect?: number
  readonly epoch?: number
  /** The owner's own count of its writes under `epoch`, from 1. A number already written is skipped. */
  readonly batch?: number
  readonly lease?: Claim | { readonly kind: "release" }
  /** Whether the conversation has something to do, so that a sweeper finds it when its owner is gone. */
  readonly active?: boolean
  readonly once?: { readonly key: string; readonly hash: string; readonly answer: string }
  readonly feed?: { readonly stream: StreamId; readonly changes: readonly RowChange[] }
  /** Added to the ledger in the same transaction; not when the append is refused or was carried out before (SEC-20). */
  readonly spent?: readonly Spending[]
}

export type Appended =
  | {
      readonly ok: true
      readonly head: number
      readonly control: number
      readonly epoch: number
      readonly feedHead: number
      /** The batch was in the store already; nothing was written now. */
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
  /** The empty conversation, as it was looked at. */
  readonly over: Pick<Stream, "id" | "head" | "control">
  readonly append: Append
  /** Contents the import holds that become attachments of its person. `held`: the conversation holds it as well. */
  readonly attachments: readonly (Attachment & { readonly held: boolean })[]
}

export type StoredRow = {
  readonly collection: Collection
  readonly key: string
  readonly ord: number | null
  readonly value: string
}

/**
 * Which rows to read: all of a collection, the one under `key`, a page by `ord`, or the ends of an order by `place`.
 *
 * `newest` goes down from the end, or from below (`before`, `beforeKey`); `oldest` goes up from above `after`. Rows of
 * the same `ord` go by key. `first` and `last` give so many rows from either end by `place`, each list beginning at its
 * end. `count` gives one row whose value is the number of rows. Without any of these, rows go by key, from behind
 * `afterKey`. `outlines` gives the outline of each row that has one in place of its value.
 *
 * `bytes` ends a list early: at most so many bytes of values, and at least one row when there is one (LOG-25).
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
  /** One list per query, in the order asked. */
  readonly lists: readonly (readonly StoredRow[])[]
  /** The queries whose lists ended early because of their `bytes`, by index. */
  readonly cut: readonly number[]
}

export type EventPage = { readonly head: number; readonly changes: readonly StoredChange[] }

export type KeyRecord = {
  readonly id: string
  readonly person: string
  readonly name: string
  readonly hash: string
  readonly scopes: readonly Scope[]
  readonly actFor: string | null
  /** Whether it may act as its own person. One that acts for others may not, unless its maker said so (SEC-31). */
  readonly asMaker: boolean
  /** The id of the key that made it, which it ends with. */
  readonly madeBy: string | null
  readonly createdAt: Millis
  readonly expiresAt: Millis | null
  readonly revokedAt: Millis | null
}

export interface Store extends Memories, Blobs, Search, Triggers, Links, Ledger, SecretKeys, StoredBytes, Deletions {
  find(key: StreamKey): Promise<Stream | undefined>
  /** Finds the stream or makes it, with nothing in it. */
  ensure(key: StreamKey): Promise<Stream>
  /** Of one person: conversations first, the feed last. */
  streamsOf(person: string, limit: number): Promise<readonly Stream[]>
  commit(batch: readonly Append[]): Promise<readonly Appended[]>
  /**
   * Deletes the stream with its events, rows and keys, and writes `feed` in the same transaction. What the feed's log
   * said earlier of a key that `feed` deletes is replaced by the row of that deletion (SEC-11).
   */
  remove(
    stream: StreamId,
    options: { readonly feed?: Append; readonly audit?: AuditEntry },
  ): Promise<Appended | undefined>

  /**
   * Puts an import in the place of an empty conversation: in one transaction `append` is written to the import, which gets
   * the conversation's address, keys and triggers, and the conversation is deleted. Refused as `moved` when the
   * conversation was written to since, and as `repeated` when its idempotency key was used there before.
   */
  adopt(imported: StreamId, options: Adoption): Promise<Appended>
  /**
   * Deletes imports that nobody writes any more, whose lease has ended: one small slice, so that no write waits long.
   * False when there was nothing to delete.
   */
  dropImports(): Promise<boolean>

  /** Asks the store for something, to see that it answers, and whether its schema is at least this version's. */
  probe(): Promise<{ readonly isMigrated: boolean }>
  /** The time by the store's own clock, which all processes that share it go by. */
  now(): Promise<Millis>

  /** Rows as they are at one moment. Undefined when there is no such stream. */
  read(stream: StreamId, queries: readonly RowQuery[]): Promise<RowsRead | undefined>
  /** Events after number `after`, at most so many and so long (at least one when there is one). */
  events(
    stream: StreamId,
    after: number,
    bounds: { readonly count: number; readonly bytes: number },
  ): Promise<EventPage | undefined>

  /** Extends the leases this owner still holds; answers with those it has lost. */
  renew(owner: string, streams: readonly StreamId[], ttlMs: number): Promise<readonly StreamId[]>
  /** Conversations that have something to do and no living owner. */
  orphans(limit: number): Promise<readonly Stream[]>

  keys(person: string): Promise<readonly KeyRecord[]>
  findKey(hash: string): Promise<KeyRecord | undefined>
  /** Those of these hashes that are keys', in any order. */
  findKeys(hashes: readonly string[]): Promise<readonly KeyRecord[]>
  /** False when the key that makes it was revoked, in whatever moment: then there is no new one (SEC-30). */
  addKey(key: KeyRecord, audit: AuditEntry): Promise<boolean>
  /**
   * Ends the key, all keys it made, those that they made, and so on. Returns their ids, its own first; none when this
   * person has no such key. Each key that ends now has its line in the audit.
   */
  revokeKey(person: string, id: string, audit: AuditEntry): Promise<readonly string[]>

  /**
   * Calls back with streams that another process may have written to. A hint: it may come late, twice or for nothing,
   * and a lost one is made up for by looking at the streams in `watched` now and then. `offered` hears of streams that
   * another process has offered. Returns an unsubscribe function.
   */
  watch?(
    watched: () => readonly StreamId[],
    changed: (streams: readonly StreamId[]) => void,
    offered?: (streams: readonly StreamId[]) => void,
  ): () => void

  /** Tells the other processes that this stream has something left to do and no owner: a hint, as `watch` gives. */
  offer?(stream: StreamId): void

  close(): Promise<void>
}
