/** What every driver and command of one server process shares. */
import type { StreamId } from "@parlor/protocol"
import type { Agent } from "./agent/agent.ts"
import type { Hub } from "./log/hub.ts"
import type { Writer } from "./log/writer.ts"
import type { Clock } from "./ports/clock.ts"
import type { Ids } from "./ports/ids.ts"
import type { Log } from "./ports/log.ts"
import type { Store } from "./ports/store.ts"
import type { Drive } from "./turn/owned.ts"

export type Node = {
  /** This process, among those that share a store. */
  readonly name: string
  readonly store: Store
  readonly writer: Writer
  readonly hub: Hub
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly agents: ReadonlyMap<string, Agent>
  readonly settings: Settings
  /** The conversations this process owns now. */
  readonly drives: Map<StreamId, Drive>
  /** Paused turns that could not be taken up again because the store failed once more: tried with the next sweep. */
  readonly paused: Set<StreamId>
}

export type Settings = {
  readonly leaseMs: number
  readonly renewMs: number
  readonly sweepMs: number
  /** How long a queued message stays editable after the turn before it ended (QUE-4). */
  readonly drainDelayMs: number
}

export const defaultSettings: Settings = { leaseMs: 10_000, renewMs: 3_000, sweepMs: 2_000, drainDelayMs: 100 }
