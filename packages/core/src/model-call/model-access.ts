/** What it takes to call a model, and to show how that goes. */
import type { LogAccess } from "../log/log-access.ts"
import type { DayTotals } from "../usage/day-totals.ts"
import type { Gate } from "../usage/gate.ts"
import type { UsageSettings } from "../usage/settings.ts"
import type { RetrySettings } from "./retry.ts"

export type ModelAccess = LogAccess & {
  /** Lets model calls begin, so many a minute for each person (SEC-21). */
  readonly gate: Gate
  /** What each person used today (SEC-22). */
  readonly dayTotals: DayTotals
  readonly settings: ModelSettings
}

export type ModelSettings = {
  /** How long a model may say nothing before its call counts as stalled (TRN-10). */
  readonly stallMs: number
  /** An answer longer than this is cut off: a model that does not end must. */
  readonly maxAnswerChars: number
  readonly retry: RetrySettings
  readonly usage: UsageSettings
}
