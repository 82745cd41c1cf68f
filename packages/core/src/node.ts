/** What every driver and command of one server process shares. */
import { limits, type StreamId } from "@parlor/protocol"
import type { Agent } from "./agent/agent.ts"
import type { Toolsets } from "./agent/toolsets.ts"
import type { Drive } from "./drive/owned.ts"
import type { ConversationCache } from "./log/cache.ts"
import type { DecisionQueue } from "./log/decision-queue.ts"
import type { Hub } from "./log/hub.ts"
import type { Writer } from "./log/writer.ts"
import type { Clock } from "./ports/clock.ts"
import type { Courier } from "./ports/courier.ts"
import type { Files } from "./ports/files.ts"
import type { Ids } from "./ports/ids.ts"
import type { Log } from "./ports/log.ts"
import type { Random } from "./ports/random.ts"
import type { Store } from "./ports/store.ts"
import type { Alarm } from "./schedule/alarm.ts"
import { defaultTriggerSettings, type TriggerSettings } from "./schedule/settings.ts"
import type { DayTotals } from "./usage/day-totals.ts"
import type { Gate } from "./usage/gate.ts"
import { defaultUsageSettings, type UsageSettings } from "./usage/settings.ts"

export type Node = {
  /** This process, among those that share a store. */
  readonly name: string
  readonly store: Store
  /** Working copies on disk; without it files live in the store alone. */
  readonly files?: Files
  /** Tools and prompts from outside, where there are any (TRG-6). */
  readonly toolsets?: Toolsets
  readonly writer: Writer
  readonly hub: Hub
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  readonly log: Log
  readonly agents: ReadonlyMap<string, Agent>
  readonly settings: Settings
  /** The conversations this process owns now. */
  readonly drives: Map<StreamId, Drive>
  /** In which the decisions of this process on one conversation wait for each other. */
  readonly decisions: DecisionQueue
  /** Conversations as this process last wrote them, for its next decisions. */
  readonly cache: ConversationCache
  /** Paused turns that could not be taken up again because the store failed once more: tried with the next sweep. */
  readonly paused: Set<StreamId>
  /** Rings when a schedule is due. */
  readonly alarm: Alarm
  /** Lets model calls begin, so many a minute for each person (SEC-21). */
  readonly gate: Gate
  /** What each person used today (SEC-22). */
  readonly dayTotals: DayTotals
  /** Takes notices to people's programs; without it nobody outside is told anything. */
  readonly courier?: Courier
  /** Something happened that this person may have asked to be told of, or they asked just now. */
  readonly tell: (person: string, options?: { readonly isNew?: boolean }) => void
}

export type Settings = {
  readonly leaseMs: number
  readonly renewMs: number
  readonly sweepMs: number
  /** How long a queued message stays editable after the turn before it ended (QUE-4). */
  readonly drainDelayMs: number
  readonly queueLimit: number
  /** How long a model may say nothing before its call counts as stalled (TRN-10). */
  readonly stallMs: number
  /** An answer longer than this is cut off: a model that does not end must. */
  readonly maxAnswerChars: number
  readonly retry: RetrySettings
  /** What becomes of a sidecar that is closed (BRA-4). */
  readonly closedSidecars: "keep" | "delete"
  /** In whose conversations agents may change what the project remembers: everyone is told of it (MEM-5). */
  readonly projectWriters: readonly string[]
  readonly triggers: TriggerSettings
  readonly usage: UsageSettings
}

export type RetrySettings = { readonly tries: number; readonly baseMs: number; readonly maxMs: number }

export const defaultSettings: Settings = {
  leaseMs: 10_000,
  renewMs: 3_000,
  sweepMs: 2_000,
  drainDelayMs: 100,
  queueLimit: limits.queued,
  stallMs: 60_000,
  maxAnswerChars: 1_000_000,
  retry: { tries: 5, baseMs: 1_000, maxMs: 60_000 },
  closedSidecars: "keep",
  projectWriters: ["me"],
  triggers: defaultTriggerSettings,
  usage: defaultUsageSettings,
}
