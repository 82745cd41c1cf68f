/** What a person used, as lines for a terminal. Pure. */
import type { UsageLine, UsageView } from "@parlor/protocol"

export function usageLines(view: UsageView): readonly string[] {
  const { tokens, costMicros, calls, resetsAt } = view
  return [
    `Today (${view.day}, UTC; the next day begins in ${hours(resetsAt, Date.now())})`,
    `  model calls  ${number(calls)}`,
    `  tokens       ${number(tokens.used)} of ${tokens.limit === null ? "unlimited" : number(tokens.limit)}`,
    `  cost         ${dollars(costMicros.used)} of ${costMicros.limit === null ? "unlimited" : dollars(costMicros.limit)}`,
    ...(view.lines.length === 0 ? [] : ["", ...view.lines.map(spoken)]),
  ]
}

function spoken({ day, source, agent, model, calls, inputTokens, outputTokens, costMicros }: UsageLine): string {
  const tokens = `${number(inputTokens)} in, ${number(outputTokens)} out`
  return `${day}  ${source}  ${agent}  ${model}  ${number(calls)} calls  ${tokens}  ${dollars(costMicros)}`
}

function number(count: number): string {
  return count.toLocaleString("en-US")
}

function dollars(micros: number): string {
  return `$${(micros / 1_000_000).toFixed(2)}`
}

const HOUR_MS = 60 * 60_000

function hours(at: number, now: number): string {
  const left = Math.max(0, at - now)
  return left >= HOUR_MS ? `${Math.round(left / HOUR_MS)} h` : `${Math.max(1, Math.round(left / 60_000))} min`
}
