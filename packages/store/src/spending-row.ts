/** Converts a row of the `spending` table to the port's `Spending`, and sums up a day (SEC-20). */
import type { DayTotal, Spending, TotalsQuery } from "@parlor/core"
import type { UsageTotal } from "@parlor/protocol"

export type SpendingRow = {
  readonly person: string
  readonly day: string
  readonly source: Spending["source"]
  readonly agent: string
  readonly model: string
  readonly calls: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cost_micros: number
}

export const SPENDING_COLUMNS = "person, day, source, agent, model, calls, input_tokens, output_tokens, cost_micros"

/** PostgreSQL uses `$1` and `$2` for `?1` and `?2`. */
export const DAY_TOTAL = `
  SELECT
    coalesce(sum(calls), 0) AS calls,
    coalesce(sum(CASE WHEN source <> 'granted' THEN input_tokens + output_tokens END), 0) AS tokens,
    coalesce(sum(CASE WHEN source <> 'granted' THEN cost_micros END), 0) AS "costMicros",
    coalesce(sum(CASE WHEN source = 'granted' THEN input_tokens + output_tokens END), 0) AS "grantedTokens",
    coalesce(sum(CASE WHEN source = 'granted' THEN cost_micros END), 0) AS "grantedMicros"
  FROM spending WHERE person = ?1 AND day = ?2`

export const SPENDING = `
  SELECT ${SPENDING_COLUMNS} FROM spending WHERE person = ?1 AND day >= ?2
  ORDER BY day DESC, source, agent, model LIMIT ?3`

/** Parameters: the first day, and how many. Fields that it is not summed by are null. */
export function totalsText(by: TotalsQuery["by"]): string {
  const names = (["person", "agent", "model"] as const).map((name) => `${by.includes(name) ? name : "NULL"} AS ${name}`)
  return `
  SELECT ${names.join(", ")}, coalesce(sum(calls), 0) AS calls, coalesce(sum(input_tokens), 0) AS "inputTokens",
    coalesce(sum(output_tokens), 0) AS "outputTokens", coalesce(sum(cost_micros), 0) AS "costMicros"
  FROM spending WHERE day >= ?1 AND source <> 'granted' ${by.length === 0 ? "" : `GROUP BY ${by.join(", ")}`}
  ORDER BY sum(cost_micros) DESC, sum(input_tokens + output_tokens) DESC LIMIT ?2`
}

export function toTotal(row: UsageTotal): UsageTotal {
  const { person, agent, model, calls, inputTokens, outputTokens, costMicros } = row
  return { person, agent, model, calls, inputTokens, outputTokens, costMicros }
}

/** Added to an existing line. */
export const ADD_SPENDING = `ON CONFLICT (person, day, source, agent, model) DO UPDATE SET
    calls = spending.calls + excluded.calls, input_tokens = spending.input_tokens + excluded.input_tokens,
    output_tokens = spending.output_tokens + excluded.output_tokens,
    cost_micros = spending.cost_micros + excluded.cost_micros`

export function spendingCells(line: Spending): (string | number)[] {
  const { person, day, source, agent, model, calls, inputTokens, outputTokens, costMicros } = line
  return [person, day, source, agent, model, calls, inputTokens, outputTokens, costMicros]
}

export function toSpending(row: SpendingRow): Spending {
  const { input_tokens, output_tokens, cost_micros, ...line } = row
  return { ...line, inputTokens: input_tokens, outputTokens: output_tokens, costMicros: cost_micros }
}

export function toDayTotal(row: DayTotal): DayTotal {
  const { calls, tokens, costMicros, grantedTokens, grantedMicros } = row
  return { calls, tokens, costMicros, grantedTokens, grantedMicros }
}
