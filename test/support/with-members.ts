import type { EventLog, Store, StoreParts } from "@parlor/core"
import { type AnyCall, wrapStore } from "./store-calls.ts"

type Members = Partial<Omit<Store, keyof StoreParts>> & { readonly log?: Partial<EventLog> }

/** The store with some of its members replaced. */
export function withMembers(store: Store, { log = {}, ...members }: Members): Store {
  const own = new Map<string, unknown>(Object.entries(members))
  for (const [name, member] of Object.entries(log)) own.set(`log.${name}`, member)
  return wrapStore(store, (name, call) => (own.get(name) as AnyCall | undefined) ?? call)
}
