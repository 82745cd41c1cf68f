/**
 * What this window must remember while the person is at the issuer. It is used once: going back to an old response finds
 * nothing here. Per window, so that two windows may sign in at the same time.
 */
import type { Keep } from "../keep/keep.ts"

export type Attempt = {
  /** Ties the response to this window (against forged responses). */
  readonly state: string
  /** Ties the ID token to this attempt (against replayed tokens). */
  readonly nonce: string
  /** Proves to the issuer that the code is redeemed by whoever asked for it (PKCE). */
  readonly verifier: string
  /** The fragment of the address to come back to. */
  readonly hash: string
}

const KEY = "parlor.sign-in"

/** False if the browser does not keep it. */
export function keepAttempt(attempt: Attempt, keep: Keep): boolean {
  const text = JSON.stringify(attempt)
  keep.write(KEY, text)
  return keep.read(KEY) === text
}

export function takeAttempt(keep: Keep): Attempt | undefined {
  const text = keep.read(KEY)
  keep.write(KEY, undefined)
  try {
    const { state, nonce, verifier, hash } = JSON.parse(text ?? "null") as Record<string, unknown>
    const all = [state, nonce, verifier, hash]
    if (!all.every((value) => typeof value === "string")) return undefined
    return { state, nonce, verifier, hash } as Attempt
  } catch {
    return undefined
  }
}
