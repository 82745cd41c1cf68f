/** What is needed to call a model and show its progress. */
import type { LogAccess } from "../log/log-access.ts"
import type { DayTotals } from "../usage/day-totals.ts"
import type { Gate } from "../usage/gate.ts"
import type { UsageSettings } from "../usage/settings.ts"
import type { RetrySettings } from "./retry.ts"

export type ModelAccess = LogAccess & {
  /** Limits how many model calls may start per minute for each person (SEC-21). */
  readonly gate: Gate
  /** What each person used today (SEC-22). */
  readonly dayTotals: DayTotals
  readonly settings: ModelSettings
}

export type ModelSettings = {
  /** How long a model may be silent before its call counts as stalled (TRN-10). */
  readonly stallMs: number
  /** A longer reply is stopped, in case a model never ends. */
  readonly maxAnswerChars: number
  /** Whether conversations get their titles from a model, unless their agent says otherwise (ADR-13). */
  readonly titles: boolean
  readonly retry: RetrySettings
  readonly usage: UsageSettings
}
