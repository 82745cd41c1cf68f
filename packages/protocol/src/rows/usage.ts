/** Usage of model calls, and sums of it (TRN-14). */
import { z } from "zod"

export const usage = z.object({
  inputTokens: z.number().nonnegative(),
  outputTokens: z.number().nonnegative(),
  reasoningTokens: z.number().nonnegative(),
  cachedTokens: z.number().nonnegative(),
  /** In millionths of a dollar, by the model's price; 0 where no price is known. */
  costMicros: z.number().nonnegative(),
})
export type Usage = z.infer<typeof usage>

/** What a provider reports; Parlor computes the cost. */
export type TokenCounts = Omit<Usage, "costMicros">

export const emptyUsage: Usage = { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cachedTokens: 0, costMicros: 0 }

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    costMicros: a.costMicros + b.costMicros,
  }
}
