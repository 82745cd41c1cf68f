/** The cost of a model call, from its provider's report (TRN-14). Pure. */
import { cacheWrites, type ModelPrice, type TokenCounts, type Usage } from "@parlor/protocol"
import type { Model } from "../ports/model.ts"

export function usageOf(model: Pick<Model, "price">, reported: TokenCounts): Usage {
  const counts = {
    inputTokens: count(reported.inputTokens),
    outputTokens: count(reported.outputTokens),
    reasoningTokens: count(reported.reasoningTokens),
    cachedTokens: count(reported.cachedTokens),
    ...cacheWrites(count(reported.cacheWriteTokens ?? 0)),
  }
  const { price } = model
  if (price === undefined) return { costMicros: 0, ...counts }
  return { costMicros: Math.round(cost(counts, ratesFor(price, counts.inputTokens))), ...counts }
}

type Rates = Omit<ModelPrice, "long">

/** A long prompt has a price of its own, for all of its tokens. */
function ratesFor({ long, ...usual }: ModelPrice, inputTokens: number): Rates {
  return long !== undefined && inputTokens > long.above ? long : usual
}

function cost(counts: TokenCounts, { input, output, cached = input, cacheWrite = input }: Rates): number {
  const read = Math.min(counts.cachedTokens, counts.inputTokens)
  const written = Math.min(counts.cacheWriteTokens ?? 0, counts.inputTokens - read)
  const rest = counts.inputTokens - read - written
  return read * cached + written * cacheWrite + rest * input + counts.outputTokens * output
}

function count(value: number): number {
  return value > 0 ? Math.min(value, Number.MAX_SAFE_INTEGER) : 0
}
