/**
 * What people use: the storage that their data takes (SEC-23), and their model calls by day, the ledger (SEC-20).
 *
 * Storage is counted in the same transaction as the data, for all processes that share the store. Content that a person
 * has several times (attached, in files of several conversations, in old versions) counts once. Logs that predate this
 * count are counted step by step, by `upkeep`.
 *
 * Ledger lines are added by `commit`, in the same transaction as the append that carries them, so they are exact across
 * crashes and nodes. They are never undone: a deleted conversation leaves its lines; only deleting the person removes
 * them.
 */
import type { Millis, UsageGroup, UsageSource, UsageTotal } from "@parlor/protocol"

/** Added to the line with the same person, day, source, agent and model. Integers. */
export type Spending = {
  readonly person: string
  /** In UTC: `2026-11-16`. */
  readonly day: string
  /** `granted`: what a person allowed beyond the day's budget (SEC-22), not usage. */
  readonly source: UsageSource | "granted"
  readonly agent: string
  readonly model: string
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly costMicros: number
}

/** The totals of one person's day, and what was allowed beyond its budget. */
export type DayTotal = {
  readonly calls: number
  readonly tokens: number
  readonly costMicros: number
  readonly grantedTokens: number
  readonly grantedMicros: number
}

export const emptyDay: DayTotal = { calls: 0, tokens: 0, costMicros: 0, grantedTokens: 0, grantedMicros: 0 }

export type Stored = {
  /** Conversations with at least one message. */
  readonly conversations: number
  /** Their logs: the bytes of each event's row, plus `EVENT_BYTES` per event. */
  readonly conversationBytes: number
  /** Files with their history, attachments, long tool output. */
  readonly fileBytes: number
  /** Files in the workspaces of all conversations, and attachments, however often they have the same content (SEC-42). */
  readonly files: number
  readonly memoryBytes: number
  /** Triggers and their firings. */
  readonly triggerBytes: number
}

export type StoredPerson = Stored & { readonly person: string }

export type TotalsQuery = { readonly since: string; readonly by: readonly UsageGroup[]; readonly limit: number }

/** The size of an event besides its row's value: key, number, time, and its index entry. */
export const EVENT_BYTES = 100

/** Idempotency keys are deleted after this, by the store's clock (QUE-11). */
export const ONCE_KEPT_MS: Millis = 7 * 24 * 60 * 60_000

export const nothingStored: Stored = {
  conversations: 0,
  conversationBytes: 0,
  fileBytes: 0,
  files: 0,
  memoryBytes: 0,
  triggerBytes: 0,
}

export interface UsageCounts {
  stored(person: string): Promise<Stored>
  dayTotal(person: string, day: string): Promise<DayTotal>
  /** Ledger lines since that day, newest day first; within a day by source, agent and model. */
  spending(person: string, page: { readonly since: string; readonly limit: number }): Promise<readonly Spending[]>
  /** The ledger of everyone since that day, without what was granted, summed by these fields; the highest cost first. */
  totals(query: TotalsQuery): Promise<readonly UsageTotal[]>
  /** People with stored data after this name, by name. */
  people(page: { readonly after: string; readonly limit: number }): Promise<readonly StoredPerson[]>
}
