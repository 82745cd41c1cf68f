/** Every delay and limit of this side. Tests and unusual networks may change them. */
export type Timing = {
  /** The first pause after a break; it doubles up to `backoffMaxMs`. */
  readonly backoffMs: number
  readonly backoffMaxMs: number
  /** A stream without a byte for this long is taken for dead. The server says something at least every 15 s. */
  readonly silenceMs: number
  readonly requestMs: number
  /** How often a request that may be repeated is tried before the caller hears of it. */
  readonly sendAttempts: number
  /** How often an edit lease is renewed. It lapses after 30 s (QUE-8). */
  readonly leaseRenewMs: number
  /** The longest `retry-after` that is waited for. */
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

/** The pause after `failures` failures in a row: half of it fixed, half random, so that clients do not come back as one. */
export function backoff(timing: Timing, failures: number, retryAfterMs = 0): number {
  const full = Math.min(timing.backoffMaxMs, timing.backoffMs * 2 ** failures)
  const pause = full / 2 + (full / 2) * Math.random()
  return Math.max(pause, Math.min(retryAfterMs, timing.retryAfterMaxMs))
}

/** When something is tried again, and the way not to wait for that. */
export type NextTry = { readonly at: number; readonly now: () => void }

/** Pauses, and tells until when. */
export function pauseUntil(ms: number, signal: AbortSignal | undefined, tell: (next: NextTry) => void): Promise<void> {
  const woken = new AbortController()
  const ends = signal ? AbortSignal.any([signal, woken.signal]) : woken.signal
  tell({ at: Date.now() + ms, now: () => woken.abort() })
  return pause(ms, ends)
}

/** A signal that falls when the caller leaves or when nothing was heard for too long. */
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

/** Waits; ends early when aborted, and in a browser when the network comes back. */
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
