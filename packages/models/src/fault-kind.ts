/**
 * Tells a used-up quota and a rejected key from other faults, for every provider (MOD-14).
 *
 * Providers say it in different places: OpenAI in a code, Anthropic in the sentence of an ordinary 400, Google in the id
 * of the quota, most others by status 402. A rate limit passes by itself and is none of these.
 */
import type { FaultKind } from "@parlor/core"

/** What a provider's error says. */
export type Complaint = {
  readonly message: string
  readonly code: string | number | undefined
  /** Google's quotas that were exceeded. */
  readonly violations: readonly { readonly id: string; readonly value: string }[]
  /** When to retry, if the body says so. */
  readonly retryMs: number | undefined
}

const quotaCodes: ReadonlySet<unknown> = new Set([
  "insufficient_quota",
  "billing_hard_limit_reached",
  "billing_not_active",
  "billing_error",
  "insufficient_balance",
  "insufficient_credits",
])
const keyCodes: ReadonlySet<unknown> = new Set(["invalid_api_key", "authentication_error", "UNAUTHENTICATED"])

const quotaSentence = new RegExp(
  [
    "credit balance is too low",
    "insufficient (?:credit|balance|funds|quota)",
    "(?:out of|used all available|no more) credits?",
    "credits? (?:are|is|have been|has been) (?:depleted|exhausted|used up)",
    "(?:spending|spend|billing hard) limit",
    "specified api usage limits",
    "billing (?:is|has been) disabled",
  ].join("|"),
  "i",
)
const keySentence =
  /api key (?:is )?(?:not valid|invalid|expired|was reported)|api_key_invalid|invalid (?:api|x-api)[ -]key/i

export function faultKind(status: number | undefined, complaint: Complaint | undefined): FaultKind | undefined {
  const { code, message, violations } = complaint ?? noComplaint
  if (violations.length > 0) return violations.some(isLasting) ? "quota" : undefined
  if (status === 402 || quotaCodes.has(code) || quotaSentence.test(message)) return "quota"
  // Google says the same of its limits per minute.
  if (code !== "RESOURCE_EXHAUSTED" && /exceeded your current quota/i.test(message)) return "quota"
  if (status === 401 || keyCodes.has(code) || keySentence.test(message)) return "key"
  return undefined
}

/** A quota per day, or one of nothing at all: waiting a moment does not help. */
function isLasting({ id, value }: Complaint["violations"][number]): boolean {
  return /perday|permonth/i.test(id) || value === "0"
}

const noComplaint: Complaint = { code: undefined, message: "", violations: [], retryMs: undefined }
