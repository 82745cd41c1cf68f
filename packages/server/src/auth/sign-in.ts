/**
 * Verifies a JWT of the issuer and returns its person (SEC-4).
 *
 * Only asymmetric signatures are accepted: an unsigned token, or one signed with a shared secret, could be forged. A
 * token is valid until it expires and cannot be revoked here: issuers keep their lifetime short.
 */
import type { Clock, Log } from "@parlor/core"
import { Fault, limits, personName, Refusal, type Scope } from "@parlor/protocol"
import { errors, type JWTPayload, jwtVerify } from "jose"
import { fetchKeys, type IssuerSettings } from "./issuer.ts"
import { createKeySet } from "./key-set.ts"

export type SignedIn = { readonly person: string; readonly scopes: readonly Scope[]; readonly expiresAt: number }
export type SignIn = (token: string) => Promise<SignedIn>

/** A prefix, so that a name from the issuer never equals a local one: its `me` is `jwt:me`. */
export const PERSON_PREFIX = "jwt:"

const CLOCK_TOLERANCE_S = 30
const ALGORITHMS = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
]

export function createSignIn(settings: IssuerSettings, parts: { readonly clock: Clock; readonly log: Log }): SignIn {
  const { issuer, audience, scopes } = settings
  const keys = createKeySet({ ...parts, fetchKeys: () => fetchKeys(settings) })
  return async (token) => {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      requiredClaims: ["exp"],
      clockTolerance: CLOCK_TOLERANCE_S,
      currentDate: new Date(parts.clock.now()),
    }).catch((error: unknown) => {
      throw refusalOf(error)
    })
    return { person: personOf(payload, settings.person), scopes, expiresAt: expiryOf(payload) }
  }
}

function personOf(payload: JWTPayload, claim: string): string {
  const value = Object.hasOwn(payload, claim) ? payload[claim] : undefined
  const person = typeof value === "string" && value !== "" ? personName.safeParse(PERSON_PREFIX + value) : undefined
  if (person?.success) return person.data
  throw new Refusal("auth.invalid", `The claim ${JSON.stringify(claim)} of this token does not name a person.`)
}

/** Accepted for as long as a new request with it would be. */
function expiryOf({ exp = 0 }: JWTPayload): number {
  return Math.min((exp + CLOCK_TOLERANCE_S) * 1_000, limits.latestMillis)
}

/** A bad token is always a refusal, even if the issuer's key for it turns out to be unusable. */
function refusalOf(error: unknown): Error {
  if (error instanceof Fault) return error
  if (error instanceof errors.JWTExpired) return new Refusal("auth.expired", "This token has expired. Sign in again.")
  return new Refusal("auth.invalid", sentenceOf(error))
}

function sentenceOf(error: unknown): string {
  if (error instanceof errors.JWTClaimValidationFailed) return claimSentence(error)
  if (error instanceof errors.JOSEAlgNotAllowed) return "This token's signature algorithm is not supported."
  if (error instanceof errors.JWKSNoMatchingKey) return "This token is not signed with a key of the issuer."
  if (error instanceof errors.JWSSignatureVerificationFailed) return "This token's signature is not valid."
  return "This token cannot be read."
}

function claimSentence({ claim, reason }: errors.JWTClaimValidationFailed): string {
  if (reason === "missing") return `This token lacks the claim ${JSON.stringify(claim)}.`
  if (claim === "iss") return "This token is from another issuer."
  if (claim === "aud") return "This token is for another audience."
  if (claim === "nbf") return "This token is not valid yet."
  return `The claim ${JSON.stringify(claim)} of this token is not valid.`
}
