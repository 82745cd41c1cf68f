/** A store that can be made to fail and to recover. */
import type { Store } from "@parlor/core"
import { Fault } from "@parlor/protocol"
import { type StoreCall, wrapStore } from "../support/store-calls.ts"

export type Outage = {
  /** Which store calls currently fail. */
  down: ReadonlySet<StoreCall>
  readonly wrap: (store: Store) => Store
}

export const WRITES: ReadonlySet<StoreCall> = new Set([
  "log.ensure",
  "log.commit",
  "log.remove",
  "log.renew",
  "keys.add",
  "keys.revoke",
  "links.link",
  "links.unlink",
  "memories.put",
  "memories.delete",
  "blobs.keep",
  "blobs.attach",
  "blobs.detach",
  "triggers.add",
  "triggers.change",
  "triggers.delete",
  "triggers.putFiring",
  "shares.add",
  "shares.revoke",
  "providers.put",
  "providers.remove",
  "preferences.write",
  "pushes.put",
  "pushes.remove",
  "pushes.setKeys",
])
export const EVERYTHING: ReadonlySet<StoreCall> = new Set([
  ...WRITES,
  "probe",
  "log.find",
  "log.read",
  "log.events",
  "log.orphans",
  "keys.of",
  "keys.find",
  "keys.findAll",
  "links.list",
  "links.named",
  "memories.index",
  "memories.get",
  "memories.all",
  "blobs.get",
  "blobs.attachment",
  "blobs.attachedBytes",
  "blobs.attachments",
  "search.find",
  "triggers.of",
  "triggers.on",
  "triggers.get",
  "triggers.due",
  "triggers.nextLook",
  "triggers.firings",
  "triggers.countSent",
  "usage.spending",
  "usage.dayTotal",
  "usage.totals",
  "usage.people",
  "shares.findAll",
  "shares.of",
  "shares.sharedWith",
  "providers.all",
  "providers.version",
  "preferences.read",
  "pushes.of",
  "pushes.keys",
])

const REASON = "connect ECONNREFUSED 10.1.2.3:5432, user parlor_admin"

export function outage(): Outage {
  const state: Outage = {
    down: new Set(),
    wrap: (store) =>
      wrapStore(
        store,
        (name, call) =>
          (...args) =>
            state.down.has(name) ? Promise.reject(new Fault(REASON)) : call(...args),
      ),
  }
  return state
}
