import { randomBytes } from "node:crypto"
import type { KeyRecord } from "@parlor/core"
import { type BodyOf, Refusal } from "@parlor/protocol"
import { type Caller, digest } from "../auth/caller.ts"
import { keysUntil } from "../auth/key-lifetime.ts"
import { keyView } from "../auth/key-view.ts"
import type { Call, Services } from "../services.ts"

export const handlers = { listKeys, makeKey, revokeKey }

async function listKeys({ store }: Services, call: Call<"listKeys">) {
  return { keys: (await store.keys.of(call.caller.person)).map(keyView) }
}

async function makeKey({ store, clock, signedInKeysMs }: Services, call: Call<"makeKey">) {
  const { person, key } = call.caller
  checkGrant(call.caller, call.body, keysUntil(call.caller, clock.now(), signedInKeysMs))
  const secret = `parlor_${randomBytes(32).toString("base64url")}`
  const now = clock.now()
  const record: KeyRecord = {
    ...call.body,
    id: `key_${randomBytes(9).toString("base64url")}`,
    person,
    hash: digest(secret).toString("hex"),
    asMaker: call.body.actFor === null || call.body.asMaker,
    madeBy: key?.id ?? null,
    createdAt: now,
    revokedAt: null,
  }
  if (!(await store.keys.add(record, { at: now, person, act: "key.made", subject: record.id })))
    throw new Refusal("auth.revoked", "This key was revoked.")
  return { ...keyView(record), secret }
}

async function revokeKey({ store, clock, followers }: Services, call: Call<"revokeKey">) {
  const { person } = call.caller
  const id = call.params.key
  const ended = await store.keys.revoke(person, id, { at: clock.now(), person, act: "key.revoked", subject: id })
  if (ended.length === 0) throw new Refusal("key.unknown", `There is no key ${id}.`)
  for (const one of ended) followers.cutKey(one)
}

/** A credential can grant only what it has. Otherwise `manage` would include every scope (ADR-2). */
function checkGrant(caller: Caller, asked: BodyOf<"makeKey">, until: number | null): void {
  if (caller.isLocal) return
  const scope = asked.scopes.find((scope) => !caller.scopes.includes(scope))
  if (scope !== undefined) throw tooMuch(`This credential does not have the scope "${scope}" itself.`, "/scopes")
  const within = caller.actFor?.slice(0, -1)
  if (asked.actFor !== null && (within === undefined || !asked.actFor.startsWith(within)))
    throw tooMuch("This credential is not allowed to act for those people itself.", "/actFor")
  if (until !== null && (asked.expiresAt ?? Number.POSITIVE_INFINITY) > until)
    throw tooMuch(`This credential cannot create a key that expires after ${isoTime(until)}.`, "/expiresAt")
}

function isoTime(at: number): string {
  return new Date(at).toISOString()
}

function tooMuch(detail: string, pointer: string): Refusal {
  return new Refusal("auth.forbidden", detail, pointer)
}
