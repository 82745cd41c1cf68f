/** The client's delays and limits. Tests and unusual networks may change them. */
export type Timing = {
  /** The first delay after a lost connection; it doubles up to `backoffMaxMs`. */
  readonly backoffMs: number
  readonly backoffMaxMs: number
  /** A stream without data for this long is treated as dead. The server sends something at least every 15 s. */
  readonly silenceMs: number
  readonly requestMs: number
  /** How often a repeatable request is tried before it fails. */
  readonly sendAttempts: number
  /** How often an edit lease is renewed. It expires after 30 s (QUE-8). */
  readonly leaseRenewMs: number
  /** The longest `retry-after` that is honored. */
  readonly retryAfterMaxMs: number
}

export const defaultTiming: Timing = {
  backoffMs: 250,
  backoffMaxMs: 10_000,
  silenceMs: 45_000,
  requestMs: 30_000,
  sendAttempts: 5,
  leaseRenewMs: 10_000,
  retryAfterMaxMs: 30_000,
}

/** The delay after consecutive failures: half fixed, half random, so that clients do not reconnect all at once. */
export function backoff(timing: Timing, failures: number, retryAfterMs = 0): number {
  const full = Math.min(timing.backoffMaxMs, timing.backoffMs * 2 ** failures)
  const pause = full / 2 + (full / 2) * Math.random()
  return Math.max(pause, Math.min(retryAfterMs, timing.retryAfterMaxMs))
}

/** When the next attempt is due, and a function that starts it now. */
export type NextTry = { readonly at: number; readonly now: () => void }

/** Pauses, and reports until when. */
export function pauseUntil(ms: number, signal: AbortSignal | undefined, tell: (next: NextTry) => void): Promise<void> {
  const woken = new AbortController()
  const ends = signal ? AbortSignal.any([signal, woken.signal]) : woken.signal
  tell({ at: Date.now() + ms, now: () => woken.abort() })
  return pause(ms, ends)
}

/** A signal that aborts when the caller does, or when no data arrived for too long. */
export function openLine(silenceMs: number, outer: AbortSignal | undefined) {
  const cut = new AbortController()
  const close = (): void => {
    clearTimeout(timer)
    outer?.removeEventListener("abort", close)
    cut.abort()
  }
  let timer = setTimeout(close, silenceMs)
  outer?.addEventListener("abort", close)
  if (outer?.aborted) close()
  const heard = (): void => {
    if (cut.signal.aborted) return
    clearTimeout(timer)
    timer = setTimeout(close, silenceMs)
  }
  return { signal: cut.signal, heard, close }
}

/** Waits. Ends early when aborted, and in a browser when the network comes back. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const browser = typeof globalThis.addEventListener === "function" ? globalThis : undefined
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener("abort", end)
      browser?.removeEventListener("online", end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener("abort", end)
    browser?.addEventListener("online", end)
  })
}
