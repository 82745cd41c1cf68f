/** Who calls a tool, and the checks that a route would make: tools share one route, but not their rights (SEC-1). */
import type { ServerResponse } from "node:http"
import { type Address, Refusal, type Scope, type TxId } from "@parlor/protocol"
import type { Caller } from "../auth/caller.ts"
import type { Services } from "../services.ts"

export type McpCaller = {
  readonly services: Services
  readonly caller: Caller
  /** The response, whose end releases what the call holds. */
  readonly out: ServerResponse
}

export function txidFor({ services }: McpCaller): TxId {
  return services.runtime.txid()
}

export function addressFor({ caller }: McpCaller, { agent, branch }: Pick<Address, "agent" | "branch">): Address {
  return { agent, branch, person: caller.person }
}

export function checkScope({ caller }: McpCaller, scope: Scope): void {
  if (!caller.scopes.includes(scope)) throw new Refusal("auth.forbidden", `This needs the scope "${scope}".`)
}

/** Runs an expensive read when there is room for it (SEC-12). */
export async function heavily<T>({ services, caller, out }: McpCaller, read: () => Promise<T>): Promise<T> {
  const leave = await services.heavy.enter(caller, out)
  try {
    return await read()
  } finally {
    leave()
  }
}
