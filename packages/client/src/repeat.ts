/**
 * Decides which requests are retried.
 *
 * Every command carries an idempotency key, so a retry returns the response of the first attempt (LOG-30).
 * Commands whose response contains a secret are not retried, because the server does not keep such responses. After a
 * response that says that nothing was done, a retry is always safe.
 */
import { ParlorError } from "./error.ts"
import { backoff, pause, type Timing } from "./timing.ts"

export type Repeating = "on-fault" | "if-undone"

export type RepeatOptions = {
  readonly repeating: Repeating
  readonly signal?: AbortSignal | undefined
  /** Maximum attempts; by default as in `timing`. */
  readonly attempts?: number | undefined
}

export async function repeat<T>(timing: Timing, options: RepeatOptions, run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (attempt >= (options.attempts ?? timing.sendAttempts) || !mayRepeat(error, options.repeating)) throw error
      await pause(backoff(timing, attempt - 1, error.retryAfterMs), options.signal)
      options.signal?.throwIfAborted()
    }
  }
}

/** The server rejected the request before doing anything. */
const UNDONE: ReadonlySet<string> = new Set(["conversation.contended", "rate.exceeded", "auth.unavailable"])

function mayRepeat(error: unknown, repeating: Repeating): error is ParlorError {
  if (!(error instanceof ParlorError)) return false
  return repeating === "on-fault" ? error.passing : UNDONE.has(error.code)
}
