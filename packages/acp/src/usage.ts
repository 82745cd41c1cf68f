/** What a prompt used, as far as the agent reports it (HST-19). Pure. */
import type { HarnessUsage } from "@parlor/core"
import { isFields } from "./updates.ts"

/** The cost of a session so far, in millionths of a dollar. Not known: the session began before this process. */
export type SessionCost = { spent: number; isKnown: boolean; before?: number }

/** Takes the total of a session from an update. Other currencies are ignored. */
export function costOf(update: Readonly<Record<string, unknown>>, cost: SessionCost): void {
  const { cost: reported } = update as { readonly cost?: unknown }
  if (!isFields(reported) || reported.currency !== "USD") return
  const { amount } = reported as { readonly amount?: unknown }
  if (typeof amount !== "number" || !Number.isFinite(amount) || amount < 0) return
  const total = Math.round(amount * 1_000_000)
  if (!cost.isKnown) cost.before = total
  else cost.before ??= cost.spent
  cost.isKnown = true
  cost.spent = total
}

/** Some agents count the tokens of a prompt in its response. */
export function usageIn(response: unknown, cost: SessionCost): HarnessUsage {
  const { usage } = isFields(response) ? (response as { readonly usage?: unknown }) : {}
  const counts = isFields(usage) ? usage : {}
  const costMicros = Math.max(0, cost.spent - (cost.before ?? cost.spent))
  delete cost.before
  return {
    inputTokens: count(counts.inputTokens) + count(counts.cachedReadTokens) + count(counts.cachedWriteTokens),
    outputTokens: count(counts.outputTokens),
    reasoningTokens: count(counts.thoughtTokens),
    cachedTokens: count(counts.cachedReadTokens),
    costMicros,
  }
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.round(value) : 0
}
