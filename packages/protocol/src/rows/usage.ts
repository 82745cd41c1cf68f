/** Usage of model calls, and sums of it (TRN-14). */
import { z } from "zod"

export const usage = z.object({
  inputTokens: z.number().nonnegative(),
  outputTokens: z.number().nonnegative(),
  reasoningTokens: z.number().nonnegative(),
  cachedTokens: z.number().nonnegative(),
  /** Tokens written to the provider's prompt cache, if any (MOD-10). */
  cacheWriteTokens: z.number().nonnegative().optional(),
  /** In millionths of a dollar, by the model's price; 0 where no price is known. */
  costMicros: z.number().nonnegative(),
})
export type Usage = z.infer<typeof usage>

/** What a provider reports; Parlor computes the cost. */
export type TokenCounts = Omit<Usage, "costMicros">

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    ...cacheWrites((a.cacheWriteTokens ?? 0) + (b.cacheWriteTokens ?? 0)),
    costMicros: a.costMicros + b.costMicros,
  }
}

/** Most providers report none: then the field is absent. */
export function cacheWrites(tokens: number): Pick<Usage, "cacheWriteTokens"> {
  return tokens > 0 ? { cacheWriteTokens: tokens } : {}
}
