/** A store that can be taken away and given back. */
import type { Store } from "@parlor/core"
import { Fault } from "@parlor/protocol"

export type Outage = {
  /** Which of the store's calls fail now. */
  down: ReadonlySet<keyof Store>
  readonly wrap: (store: Store) => Store
}

export const WRITES: ReadonlySet<keyof Store> = new Set([
  "ensure",
  "commit",
  "remove",
  "addKey",
  "revokeKey",
  "link",
  "unlink",
  "renew",
  "putMemory",
  "deleteMemory",
  "keepBlob",
  "attach",
  "detach",
  "addTrigger",
  "changeTrigger",
  "deleteTrigger",
  "putFiring",
])
export const EVERYTHING: ReadonlySet<keyof Store> = new Set([
  ...WRITES,
  "probe",
  "find",
  "read",
  "events",
  "orphans",
  "keys",
  "findKey",
  "findKeys",
  "links",
  "linksOf",
  "memoryIndex",
  "memory",
  "memories",
  "blob",
  "attachment",
  "attachedBytes",
  "attachments",
  "search",
  "triggers",
  "triggersOn",
  "trigger",
  "dueTriggers",
  "nextLook",
  "firings",
  "countSent",
  "spending",
  "dayTotal",
])

const REASON = "connect ECONNREFUSED 10.1.2.3:5432, user parlor_admin"

export function outage(): Outage {
  const state: Outage = {
    down: new Set(),
    wrap: (store) =>
      new Proxy(store, {
        get(target, name) {
          const call: unknown = Reflect.get(target, name)
          if (typeof call !== "function") return call
          return (...args: unknown[]) =>
            state.down.has(name as keyof Store) ? Promise.reject(new Fault(REASON)) : call.apply(target, args)
        },
      }),
  }
  return state
}
