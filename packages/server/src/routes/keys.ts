import { randomBytes } from "node:crypto"
import type { KeyRecord } from "@parlor/core"
import { type KeyView, Refusal } from "@parlor/protocol"
import { digest } from "../auth/caller.ts"
import type { Call, Services } from "../services.ts"

export const handlers = { listKeys, makeKey, revokeKey }

async function listKeys({ store }: Services, call: Call<"listKeys">) {
  return { keys: (await store.keys(call.caller.person)).map(viewOf) }
}

async function makeKey({ store, clock }: Services, call: Call<"makeKey">) {
  const { person } = call.caller
  const secret = `parlor_${randomBytes(32).toString("base64url")}`
  const now = clock.now()
  const record: KeyRecord = {
    ...call.body,
    id: `key_${randomBytes(9).toString("base64url")}`,
    person,
    hash: digest(secret).toString("hex"),
    createdAt: now,
    revokedAt: null,
  }
  await store.addKey(record, { at: now, person, act: "key.made", subject: record.id })
  return { ...viewOf(record), secret }
}

async function revokeKey({ store, clock, followers }: Services, call: Call<"revokeKey">) {
  const { person } = call.caller
  const id = call.params.key
  if (!(await store.revokeKey(person, id, { at: clock.now(), person, act: "key.revoked", subject: id })))
    throw new Refusal("key.unknown", `There is no key ${id}.`)
  followers.cutKey(id)
}

function viewOf(record: KeyRecord): KeyView {
  const { id, name, scopes, actFor, createdAt, expiresAt, revokedAt } = record
  return { id, name, scopes: [...scopes], actFor, createdAt, expiresAt, revokedAt }
}
