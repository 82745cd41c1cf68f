/**
 * The store that Parlor requires: one object with a part per concept. SQLite and PostgreSQL behave alike;
 * `storeContract` in @parlor/store checks it.
 *
 * A promise that resolves means durable. A store that cannot be reached rejects with `Fault`.
 */

import type { Millis, StreamId } from "@parlor/protocol"
import type { Blobs } from "./blobs.ts"
import type { Deletions } from "./deletions.ts"
import type { EventLog } from "./event-log.ts"
import type { Keys } from "./keys.ts"
import type { Links } from "./links.ts"
import type { Memories } from "./memories.ts"
import type { PersonPreferences } from "./preferences.ts"
import type { Providers } from "./providers.ts"
import type { Pushes } from "./pushes.ts"
import type { SecretKeys } from "./seal.ts"
import type { Search } from "./search.ts"
import type { Shares } from "./shares.ts"
import type { Triggers } from "./triggers.ts"
import type { UsageCounts } from "./usage.ts"

export type { AuditEntry } from "./audit.ts"
export type * from "./event-log.ts"
export type { KeyRecord } from "./keys.ts"

/** The parts by concept. */
export type StoreParts = {
  readonly log: EventLog
  readonly keys: Keys
  readonly links: Links
  readonly shares: Shares
  readonly memories: Memories
  readonly blobs: Blobs
  readonly triggers: Triggers
  readonly search: Search
  readonly usage: UsageCounts
  readonly deletions: Deletions
  readonly providers: Providers
  readonly preferences: PersonPreferences
  readonly pushes: Pushes
}

export interface Store extends StoreParts, SecretKeys {
  /** Checks that the store responds, and that its schema is at least this version's. */
  probe(): Promise<{ readonly isMigrated: boolean }>
  /** The time by the store's own clock, which all processes that share it use. */
  now(): Promise<Millis>
  /**
   * One small piece of periodic work: counts logs that were never counted, deletes expired idempotency keys. True if
   * there is more to do.
   */
  upkeep(): Promise<boolean>

  /**
   * Calls back with streams that another process may have written to. Only a hint: it may come late, twice or for
   * nothing, and lost ones are made up for by polling the streams in `watched`. `offered` receives streams that another
   * process has offered. Returns an unsubscribe function.
   */
  watch?(
    watched: () => readonly StreamId[],
    changed: (streams: readonly StreamId[]) => void,
    offered?: (streams: readonly StreamId[]) => void,
  ): () => void

  /** Notifies the other processes that this stream has work left and no owner. A hint, as with `watch`. */
  offer?(stream: StreamId): void

  /**
   * Tells how many streams this process has open, by counter, and returns how many the other processes have (SEC-14).
   * They are forgotten after a minute. Only stores that several processes share have it.
   */
  openStreams?(counts: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>>

  /**
   * Takes from buckets that all processes share, by key, and returns how long until each is full again (SEC-44).
   * `cost`: the time by which that is later. It counts from `agoMs` ago on, or from when the bucket will be full. Zero
   * only asks. Full buckets may be left out. Only stores that several processes share have it.
   */
  shareRates?(
    added: ReadonlyMap<string, { readonly cost: Millis; readonly agoMs: Millis }>,
  ): Promise<ReadonlyMap<string, Millis>>

  close(): Promise<void>
}
