/** The cost of a model call, from its provider's report (TRN-14). Pure. */
import type { TokenCounts, Usage } from "@parlor/protocol"
import type { Model } from "../ports/model.ts"

export function usageOf(model: Pick<Model, "price">, reported: TokenCounts): Usage {
  const counts = {
    inputTokens: count(reported.inputTokens),
    outputTokens: count(reported.outputTokens),
    reasoningTokens: count(reported.reasoningTokens),
    cachedTokens: count(reported.cachedTokens),
  }
  const { price } = model
  if (price === undefined) return { ...counts, costMicros: 0 }
  const cached = Math.min(counts.cachedTokens, counts.inputTokens)
  const input = cached * (price.cached ?? price.input) + (counts.inputTokens - cached) * price.input
  return { ...counts, costMicros: Math.round(input + counts.outputTokens * price.output) }
}

function count(value: number): number {
  return value > 0 ? Math.min(value, Number.MAX_SAFE_INTEGER) : 0
}
