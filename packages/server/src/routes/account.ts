import { LOCAL_PERSON } from "../auth/caller.ts"
import { keysUntil } from "../auth/key-lifetime.ts"
import type { Call, Services } from "../services.ts"

export const handlers = { readAccount }

async function readAccount({ clock, signedInKeysMs }: Services, { caller }: Call<"readAccount">) {
  const { person, isLocal, key, scopes, expiresAt } = caller
  return {
    person,
    credential: isLocal ? ("token" as const) : key === null ? ("sign-in" as const) : ("key" as const),
    scopes: [...scopes],
    expiresAt,
    keysUntil: keysUntil(caller, clock.now(), signedInKeysMs),
    isOwner: person === LOCAL_PERSON,
  }
}
