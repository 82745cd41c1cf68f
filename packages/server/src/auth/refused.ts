/**
 * Requests refused because of their credential: counted, and logged without the credential (SEC-32).
 *
 * A request without a credential is not counted: a page that has none yet makes such requests.
 */
import type { Log } from "@parlor/core"
import { type ErrorCode, Refusal } from "@parlor/protocol"
import { createCalm } from "../calm.ts"

export type RefusedCode = (typeof CODES)[number]
export type RefusedCounts = Readonly<Record<RefusedCode, number>>

/** `rate.exceeded`: too many wrong credentials from one address (SEC-9). */
const CODES = [
  "auth.invalid",
  "auth.expired",
  "auth.revoked",
  "auth.forbidden",
  "person.not-allowed",
  "rate.exceeded",
] as const satisfies readonly ErrorCode[]

export class RefusedCallers {
  readonly #log: Log
  readonly #calm = createCalm()
  readonly #counts: Record<RefusedCode, number> = {
    "auth.invalid": 0,
    "auth.expired": 0,
    "auth.revoked": 0,
    "auth.forbidden": 0,
    "person.not-allowed": 0,
    "rate.exceeded": 0,
  }

  constructor(log: Log) {
    this.#log = log
  }

  /** Since this server started, by error code. */
  get counts(): RefusedCounts {
    return { ...this.#counts }
  }

  /** Returns the error. */
  note(error: unknown, about: { readonly address: string; readonly route: string }): unknown {
    const code = error instanceof Refusal ? CODES.find((one) => one === error.code) : undefined
    if (code === undefined) return error
    this.#counts[code] += 1
    this.#calm({ code, ...about }, (fields) => this.#log.warn("sign-in refused", fields))
    return error
  }
}
