/** Standing permissions of the caller (ASK-4). */
import type { Call, Services } from "../services.ts"

export const handlers = { listGrants, revokeGrant }

async function listGrants({ runtime }: Services, { caller }: Call<"listGrants">) {
  return { grants: [...(await runtime.listGrants(caller.person))] }
}

async function revokeGrant({ runtime }: Services, { caller, params, txid }: Call<"revokeGrant">) {
  await runtime.revokeGrant(caller.person, params.grant, txid)
}
