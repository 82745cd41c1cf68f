/**
 * Who is asking, from the credential alone (ADR-2, SEC-4).
 *
 * A caller names another person only with a key that carries an act-for prefix, and only within it.
 */
import { hash, timingSafeEqual } from "node:crypto"
import type { Clock, KeyRecord, Store } from "@parlor/core"
import { personName, Refusal, type Scope } from "@parlor/protocol"

export type Caller = {
  readonly person: string
  readonly scopes: readonly Scope[]
  /** The key used, or null for the local token. */
  readonly key: { readonly id: string; readonly hash: string } | null
  readonly expiresAt: number | null
  /** The prefix of people its key may act for. */
  readonly actFor: string | null
}

export type Authenticate = (headers: {
  authorization: string | undefined
  person: string | undefined
}) => Promise<Caller>

export const LOCAL_PERSON = "me"

export function createAuthenticate(parts: {
  token: string
  store: Pick<Store, "findKey">
  clock: Clock
}): Authenticate {
  const localDigest = digest(parts.token)
  return async ({ authorization, person }) => {
    const secret = bearerOf(authorization)
    const given = digest(secret)
    if (timingSafeEqual(given, localDigest)) return localCaller(person)
    const key = await parts.store.findKey(given.toString("hex"))
    if (key === undefined) throw new Refusal("auth.invalid", "This token is not known here.")
    return keyCaller(key, person, parts.clock.now())
  }
}

export function digest(secret: string): Buffer {
  return hash("sha256", secret, "buffer")
}

export function checkKey(key: KeyRecord, now: number): void {
  if (key.revokedAt !== null) throw new Refusal("auth.revoked", "This key was revoked.")
  if (key.expiresAt !== null && key.expiresAt <= now) throw new Refusal("auth.expired", "This key has expired.")
}

function bearerOf(authorization: string | undefined): string {
  if (authorization === undefined)
    throw new Refusal(
      "auth.missing",
      "Send the header Authorization: Bearer <token>. The server prints where its token is.",
    )
  const match = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(authorization)
  if (match?.[1] === undefined) throw new Refusal("auth.invalid", "The header has to be Authorization: Bearer <token>.")
  return match[1]
}

function localCaller(person: string | undefined): Caller {
  if (person !== undefined && person !== LOCAL_PERSON) throw notAllowed(person)
  return { person: LOCAL_PERSON, scopes: ["read", "write", "manage"], key: null, expiresAt: null, actFor: null }
}

function keyCaller(key: KeyRecord, named: string | undefined, now: number): Caller {
  checkKey(key, now)
  const { scopes, expiresAt, actFor } = key
  const used = { id: key.id, hash: key.hash }
  if (named === undefined || named === key.person) return { person: key.person, scopes, key: used, expiresAt, actFor }
  const prefix = actFor?.slice(0, -1)
  if (prefix === undefined || !named.startsWith(prefix) || !personName.safeParse(named).success) throw notAllowed(named)
  return { person: named, scopes: scopes.filter((scope) => scope !== "manage"), key: used, expiresAt, actFor }
}

function notAllowed(person: string): Refusal {
  return new Refusal("person.not-allowed", `This token may not act for ${JSON.stringify(person)}.`)
}
