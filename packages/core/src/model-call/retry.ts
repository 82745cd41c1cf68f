/** When to try a model again: backoff with jitter, the provider's own wish first, up to a named limit (TRN-10). Pure. */

export type RetrySettings = { readonly tries: number; readonly baseMs: number; readonly maxMs: number }

const HONOURED_WAIT_MS = 10 * 60_000

/** How long to wait before try number `attempt` (the first retry is 2), or undefined when it is enough. */
export function retryDelay(
  attempt: number,
  settings: RetrySettings,
  random: number,
  retryAfterMs: number | undefined,
): number | undefined {
  if (attempt > settings.tries) return undefined
  if (retryAfterMs !== undefined) return retryAfterMs <= HONOURED_WAIT_MS ? retryAfterMs : undefined
  const whole = Math.min(settings.baseMs * 2 ** (attempt - 2), settings.maxMs)
  return Math.round(whole * (0.75 + random / 2))
}
