/**
 * A complete store in memory, for simulations: deterministic, on a given clock, with hooks to make it fail and wait.
 *
 * Runtimes that share one instance share everything. `node()` returns another handle on the same data with its own
 * hooks; its `watch` reports what the other handles write, as on PostgreSQL. The instance itself cannot tell its users
 * apart, so each of them is notified of everything.
 *
 * Nothing awaits inside a commit: others see all of it or nothing.
 */
import { Fault, type Millis, type StoredChange, type StreamId } from "@parlor/protocol"
import type { Blobs } from "../ports/blobs.ts"
import type { Clock } from "../ports/clock.ts"
import type { Deletions } from "../ports/deletions.ts"
import type { Keys } from "../ports/keys.ts"
import type { Links } from "../ports/links.ts"
import type { Memories } from "../ports/memories.ts"
import type { PersonPreferences } from "../ports/preferences.ts"
import type { Providers } from "../ports/providers.ts"
import type { Pushes } from "../ports/pushes.ts"
import type { Search } from "../ports/search.ts"
import type { Shares } from "../ports/shares.ts"
import type { Append, AuditEntry, EventLog, Store, StoredRow } from "../ports/store.ts"
import type { Triggers } from "../ports/triggers.ts"
import type { UsageCounts } from "../ports/usage.ts"
import { MemoryBell } from "./memory-bell.ts"
import { MemoryDatabase } from "./memory-database.ts"
import { memoryLog } from "./memory-log.ts"
import {
  type MemoryAccess,
  memoryBlobs,
  memoryDeletions,
  memoryKeys,
  memoryLinks,
  memoryMemories,
  memoryPreferences,
  memoryProviders,
  memoryPushes,
  memoryShares,
  memoryTriggers,
  memoryUsage,
} from "./memory-parts.ts"

export type MemoryHooks = {
  /** `fail`: nothing is written. `fail-after`: it is written, and the answer is lost. Also called before a removal. */
  beforeCommit?: (batch: readonly Append[]) => "fail" | "fail-after" | undefined
  /** Awaited before a commit or a removal and again after it. */
  latency?: () => Promise<void>
  /** Awaited after rows or events were read, so that the result may be outdated. */
  readLatency?: () => Promise<void>
  /** How long a notification takes to this node. A lost one is a late one: polling makes up for it. */
  bellMs?: () => number
}

export type StreamDump = { readonly events: readonly StoredChange[]; readonly rows: readonly StoredRow[] }

export class MemoryStore implements Store {
  hooks: MemoryHooks
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
  readonly #data: MemoryDatabase
  readonly #bell: MemoryBell
  readonly #hearsItself: boolean

  constructor(clock: Clock, hooks: MemoryHooks = {}, shared?: { data: MemoryDatabase; bell: MemoryBell }) {
    this.hooks = hooks
    this.#data = shared?.data ?? new MemoryDatabase(clock)
    this.#bell = shared?.bell ?? new MemoryBell(clock)
    this.#hearsItself = shared === undefined
    const access: MemoryAccess = {
      data: this.#data,
      read: (work) => this.#read(work),
      write: (batch, work) => this.#write(batch, work),
      ring: (stream) => this.#bell.ring(stream, this.#from),
    }
    this.log = memoryLog(access)
    this.keys = memoryKeys(access)
    this.links = memoryLinks(access)
    this.shares = memoryShares(access)
    this.memories = memoryMemories(access)
    this.blobs = memoryBlobs(access)
    this.triggers = memoryTriggers(access)
    this.search = this.#data.search
    this.usage = memoryUsage(access)
    this.deletions = memoryDeletions(access)
    this.providers = memoryProviders(access)
    this.preferences = memoryPreferences(access)
    this.pushes = memoryPushes(access)
  }

  /** Another node's handle on the same data. */
  node(hooks: MemoryHooks = {}): MemoryStore {
    return new MemoryStore(this.#data.clock, hooks, { data: this.#data, bell: this.#bell })
  }

  /** The content of a stream, including deltas. The events are the log itself, not a copy. */
  dump(stream: StreamId): StreamDump | undefined {
    const found = this.#data.get(stream)
    return found && { events: found.events, rows: found.allRows() }
  }

  get audit(): readonly AuditEntry[] {
    return this.#data.audit
  }

  probe(): Promise<{ readonly isMigrated: boolean }> {
    return this.#read(() => ({ isMigrated: true }))
  }

  now(): Promise<Millis> {
    return this.#read(() => this.#data.clock.now())
  }

  async secretKey(): Promise<string | undefined> {
    return this.#data.secretKey
  }

  async setSecretKey(id: string, before: string | undefined): Promise<boolean> {
    if (this.#data.secretKey !== before) return false
    this.#data.secretKey = id
    return true
  }

  /** Nothing here is older than the process. */
  async upkeep(): Promise<boolean> {
    return false
  }

  watch(
    _watched: () => readonly StreamId[],
    changed: (streams: readonly StreamId[]) => void,
    offered?: (streams: readonly StreamId[]) => void,
  ): () => void {
    return this.#bell.add({ node: this, changed, offered, delayMs: () => this.hooks.bellMs?.() ?? DEFAULT_BELL_MS })
  }

  offer(stream: StreamId): void {
    this.#bell.offer(stream, this.#from)
  }

  /** Others may continue with the same data; only this node's listeners are closed. */
  async close(): Promise<void> {
    if (!this.#hearsItself) this.#bell.leave(this)
  }

  async #write<T>(batch: readonly Append[], work: () => T): Promise<T> {
    const { latency, beforeCommit } = this.hooks
    if (latency) await latency()
    const fault = beforeCommit?.(batch)
    if (fault === "fail") throw new Fault("The store in memory failed before it wrote.")
    const result = work()
    if (latency) await latency()
    if (fault === "fail-after") throw new Fault("The store in memory failed after it had written.")
    return result
  }

  async #read<T>(work: () => T): Promise<T> {
    const result = work()
    if (this.hooks.readLatency) await this.hooks.readLatency()
    return result
  }

  get #from(): MemoryStore | undefined {
    return this.#hearsItself ? undefined : this
  }
}

const DEFAULT_BELL_MS = 5
