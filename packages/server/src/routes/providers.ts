/** Model providers: for the owner of the server alone (MOD-16). */
import { checkOwner } from "../auth/caller.ts"
import type { Call, Services } from "../services.ts"

export const handlers = { listProviders, connectProvider, testProvider, disconnectProvider }

async function listProviders({ runtime }: Services, { caller }: Call<"listProviders">) {
  checkOwner(caller)
  return runtime.providers()
}

async function connectProvider({ runtime }: Services, { caller, params, body }: Call<"connectProvider">) {
  checkOwner(caller)
  return runtime.connectProvider(params.provider, body, caller.person)
}

async function testProvider({ runtime }: Services, { caller, params, body }: Call<"testProvider">) {
  checkOwner(caller)
  return runtime.testProvider(params.provider, body)
}

async function disconnectProvider({ runtime }: Services, { caller, params }: Call<"disconnectProvider">) {
  checkOwner(caller)
  await runtime.disconnectProvider(params.provider, caller.person)
}
