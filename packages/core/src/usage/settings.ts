/** Limits on one person's model calls: how much and how fast. */
import { limits } from "@parlor/protocol"
import type { CallRates } from "./gate.ts"

export type UsageSettings = {
  readonly rates: CallRates
  /** People whose calls are limited only when unattended: it is their own machine (SEC-9). */
  readonly unhurried: readonly string[]
  /** Per person and day; null for no limit (SEC-22). */
  readonly tokensPerDay: number | null
  readonly microsPerDay: number | null
  /** Who is asked when their budget is used up, and may allow more. Everyone else has to wait for the next day. */
  readonly mayAllowMore: readonly string[]
}

export function callRates(perMinute: number): CallRates {
  const half = Math.max(1, Math.floor(perMinute / 2))
  return {
    all: { perMinute, atOnce: Math.min(perMinute, limits.modelCallsAtOnce) },
    unattended: { perMinute: half, atOnce: Math.min(half, Math.floor(limits.modelCallsAtOnce / 2)) },
  }
}

export const defaultUsageSettings: UsageSettings = {
  rates: callRates(limits.modelCallsPerMinute),
  unhurried: ["me"],
  tokensPerDay: limits.tokensPerDay,
  microsPerDay: limits.microsPerDay,
  mayAllowMore: ["me"],
}
