/**
 * Identifies the caller from the credential alone (ADR-2, SEC-4).
 *
 * A caller names another person only with a key that carries an act-for prefix, and only within it. A JWT is
 * recognized by its two dots and verified in `sign-in.ts`, without the store.
 */
import { hash, timingSafeEqual } from "node:crypto"
import type { Clock, KeyRecord } from "@parlor/core"
import { limits, personName, Refusal, type Scope } from "@parlor/protocol"
import { createGuesses, type KeyFinder } from "./guesses.ts"
import type { SignedIn, SignIn } from "./sign-in.ts"

export type Caller = {
  readonly person: string
  /** The name in the request, if it is a linked name of that person (ADR-4). */
  readonly linkedName?: string
  /** The share whose link is the credential: then there is no person (SHR-2). */
  readonly link?: string
  readonly scopes: readonly Scope[]
  /** Whether the credential is the local token. */
  readonly isLocal: boolean
  /** The key used, or null for the local token and for a signed-in person. */
  readonly key: { readonly id: string; readonly hash: string } | null
  readonly expiresAt: number | null
  /** The prefix of people its key may act for. */
  readonly actFor: string | null
}

export type Authenticate = (headers: {
  authorization: string | undefined
  person: string | undefined
  /** The client's address, from `clientAddress`. */
  address: string
}) => Promise<Caller>

export const LOCAL_PERSON = "me"
/** For routes that need no credential. */
export const NOBODY: Caller = { person: "", scopes: [], isLocal: false, key: null, expiresAt: null, actFor: null }
const OWNER: Caller = { ...NOBODY, person: LOCAL_PERSON, scopes: ["read", "write", "manage", "metrics"], isLocal: true }

export function createAuthenticate(parts: {
  token: string
  store: KeyFinder
  clock: Clock
  signIn?: SignIn | undefined
}): Authenticate {
  const localDigest = digest(parts.token)
  const guesses = createGuesses(parts)
  return async ({ authorization, person, address }) => {
    const secret = bearerOf(authorization)
    const given = digest(secret)
    if (timingSafeEqual(given, localDigest)) return localCaller(person)
    if (parts.signIn !== undefined && JWT.test(secret))
      try {
        return signedInCaller(await parts.signIn(secret), person)
      } catch (error) {
        throw error instanceof Refusal && error.code === "auth.invalid" ? guesses.wrong(address, error) : error
      }
    const hash = given.toString("hex")
    const key = await guesses.lookUp(address, hash)
    if (key === undefined) throw new Refusal("auth.invalid", "This token is not valid.")
    return keyCaller(key, person, parts.clock.now())
  }
}

export function digest(secret: string | Uint8Array): Buffer {
  return hash("sha256", secret, "buffer")
}

export function isGood(key: KeyRecord, now: number): boolean {
  return key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now)
}

function checkKey(key: KeyRecord, now: number): void {
  if (key.revokedAt !== null) throw new Refusal("auth.revoked", "This key was revoked.")
  if (key.expiresAt !== null && key.expiresAt <= now) throw new Refusal("auth.expired", "This key has expired.")
}

const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/
const BEARER = new RegExp(`^Bearer ([\\x21-\\x7e]{1,${limits.credentialLength}})$`, "i")

function bearerOf(authorization: string | undefined): string {
  if (authorization === undefined)
    throw new Refusal(
      "auth.missing",
      "Send the header Authorization: Bearer <token>. The server prints where its token is.",
    )
  const match = BEARER.exec(authorization)
  if (match?.[1] === undefined) throw new Refusal("auth.invalid", "The Authorization header must be: Bearer <token>.")
  return match[1]
}

function localCaller(person: string | undefined): Caller {
  if (person !== undefined && person !== LOCAL_PERSON) throw notAllowed(person)
  return OWNER
}

/** A signed-in person acts for nobody else. */
function signedInCaller(signedIn: SignedIn, named: string | undefined): Caller {
  if (named !== undefined && named !== signedIn.person) throw notAllowed(named)
  return { ...NOBODY, ...signedIn }
}

function keyCaller(key: KeyRecord, named: string | undefined, now: number): Caller {
  checkKey(key, now)
  const { scopes, expiresAt, actFor } = key
  const used = { key: { id: key.id, hash: key.hash }, isLocal: false, expiresAt, actFor }
  if (named === undefined || named === key.person) {
    if (!key.asMaker) throw onlyForOthers(key)
    return { person: key.person, scopes, ...used }
  }
  const prefix = actFor?.slice(0, -1)
  if (prefix === undefined || !named.startsWith(prefix) || !personName.safeParse(named).success) throw notAllowed(named)
  return { person: named, scopes: scopes.filter((scope) => scope === "read" || scope === "write"), ...used }
}

/** A stolen bridge key does not act as its creator (SEC-31). */
function onlyForOthers({ actFor, person }: KeyRecord): Refusal {
  const who = `This key acts for ${actFor} and not as ${JSON.stringify(person)}.`
  return new Refusal("person.not-allowed", `${who} Name a person with the header Parlor-Person.`)
}

function notAllowed(person: string): Refusal {
  return new Refusal("person.not-allowed", `This token is not allowed to act for ${JSON.stringify(person)}.`)
}

/** What concerns everyone is for the owner alone: their token, or a key that they made for themselves (OPS-20). */
export function checkOwner({ isLocal, person }: Caller): void {
  if (!isLocal && person !== LOCAL_PERSON)
    throw new Refusal(
      "auth.forbidden",
      "Only the owner of the server may do this: with the local token, or a key created with it.",
    )
}
