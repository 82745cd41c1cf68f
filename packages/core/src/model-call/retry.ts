/** When to retry a model call: backoff with jitter, or the provider's own retry-after up to a limit (TRN-10). Pure. */

export type RetrySettings = { readonly tries: number; readonly baseMs: number; readonly maxMs: number }

const MAX_RETRY_AFTER_MS = 10 * 60_000

/** How long to wait before attempt number `attempt` (the first retry is 2), or undefined to give up. */
export function retryDelay(
  attempt: number,
  settings: RetrySettings,
  random: number,
  retryAfterMs: number | undefined,
): number | undefined {
  if (attempt > settings.tries) return undefined
  if (retryAfterMs !== undefined) return retryAfterMs <= MAX_RETRY_AFTER_MS ? retryAfterMs : undefined
  const whole = Math.min(settings.baseMs * 2 ** (attempt - 2), settings.maxMs)
  return Math.round(whole * (0.75 + random / 2))
}
