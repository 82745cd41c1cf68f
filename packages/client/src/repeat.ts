/**
 * Which requests are tried again.
 *
 * Every command carries an idempotency key, so that a second try gives the answer the first would have given (LOG-30).
 * Few are not: an answer that holds a secret is not kept, so their callers hear of the fault and look. An answer that
 * says nothing was done may always be followed by another try.
 */
import { ParlorError } from "./error.ts"
import { backoff, pause, type Timing } from "./timing.ts"

export type Repeating = "on-fault" | "if-undone"

export type RepeatOptions = {
  readonly repeating: Repeating
  readonly signal?: AbortSignal | undefined
  /** In all; as the timing says when not given. */
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

/** The server turned it down before it did anything. */
const UNDONE: ReadonlySet<string> = new Set(["conversation.contended", "rate.exceeded", "auth.unavailable"])

function mayRepeat(error: unknown, repeating: Repeating): error is ParlorError {
  if (!(error instanceof ParlorError)) return false
  return repeating === "on-fault" ? error.passing : UNDONE.has(error.code)
}
