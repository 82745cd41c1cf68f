/**
 * Usage of people's model calls, by day (SEC-20).
 *
 * Lines are added by `commit`, in the same transaction as the append that carries them, so they are exact across
 * crashes and nodes. They are never undone: a deleted conversation leaves its lines; only deleting the person removes
 * them.
 */
import type { UsageSource } from "@parlor/protocol"

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

export interface Ledger {
  dayTotal(person: string, day: string): Promise<DayTotal>
  /** Lines since that day, newest day first; within a day by source, agent and model. */
  spending(person: string, page: { readonly since: string; readonly limit: number }): Promise<readonly Spending[]>
}
