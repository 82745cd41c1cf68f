/**
 * Deliveries whose signature covers the body alone, as GitHub makes it: whoever has seen one could send it again under
 * another id (TRG-10). The same body within a day is the same delivery, and keeps the id it first came with.
 *
 * What this process took is known from memory, at once, so that two at the same moment are one. What it took before a
 * restart, or another server took, is found among the webhook's last firings.
 */
import { limits, type Millis } from "@parlor/protocol"
import { firingOf } from "./firing.ts"
import type { Hook } from "./hook.ts"
import type { Delivery } from "./template.ts"
import type { Taken, TriggerAccess } from "./trigger-access.ts"

const WINDOW_MS = 24 * 60 * 60_000
const MAX_REMEMBERED = 20_000

/** The id under which this delivery was first taken; its own for one that is new. */
export async function firstIdOf(node: TriggerAccess, hook: Hook, { id, bodyHash }: Delivery): Promise<string> {
  if (bodyHash === undefined) return id
  const taken = node.incoming.deliveries
  const now = node.clock.now()
  const key = `${hook.id} ${bodyHash}`
  const known = taken.get(key)
  const before = await known
  if (before !== undefined && now - before.at < WINDOW_MS) return before.id
  // Another of the same moment may have found it too old as well, and taken its place.
  const newer = taken.get(key)
  if (newer !== undefined && newer !== known) return (await newer).id
  const first = firstIn(node, hook, { id, bodyHash, now })
  taken.delete(key)
  taken.set(key, first)
  const [oldest] = taken.keys()
  if (taken.size > MAX_REMEMBERED && oldest !== undefined) taken.delete(oldest)
  first.catch(() => taken.delete(key))
  return (await first).id
}

async function firstIn(
  node: TriggerAccess,
  hook: Hook,
  { id, bodyHash, now }: { readonly id: string; readonly bodyHash: string; readonly now: Millis },
): Promise<Taken> {
  const firings = (await node.store.firings([hook.id], limits.firings)).map(firingOf)
  const same = firings.filter((firing) => firing.bodyHash === bodyHash && now - firing.at < WINDOW_MS)
  const { id: firstId, at } = same.at(-1) ?? { id, at: now }
  return { id: firstId, at }
}
