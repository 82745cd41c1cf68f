/**
 * Deliveries whose signature covers only the body, like GitHub's: anyone who has seen one could send it again under
 * another id (TRG-10). The same body within a day is the same delivery, and keeps its first id.
 *
 * What this process accepted is in memory, so that two deliveries at the same moment are one. What it accepted before a
 * restart, or another server accepted, is found among the webhook's latest firings.
 */
import { limits, type Millis } from "@parlor/protocol"
import { firingOf } from "./firing.ts"
import type { Hook } from "./hook.ts"
import type { Delivery } from "./template.ts"
import type { Taken, TriggerAccess } from "./trigger-access.ts"

const WINDOW_MS = 24 * 60 * 60_000
const MAX_REMEMBERED = 20_000

/** The id under which this delivery was first accepted; its own if it is new. */
export async function firstIdOf(node: TriggerAccess, hook: Hook, { id, bodyHash }: Delivery): Promise<string> {
  if (bodyHash === undefined) return id
  const taken = node.incoming.deliveries
  const now = node.clock.now()
  const key = `${hook.id} ${bodyHash}`
  const known = taken.get(key)
  const before = await known
  if (before !== undefined && now - before.at < WINDOW_MS) return before.id
  // A concurrent delivery may have found it expired as well, and replaced it.
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
  const firings = (await node.store.triggers.firings([hook.id], limits.firings)).map(firingOf)
  const same = firings.filter((firing) => firing.bodyHash === bodyHash && now - firing.at < WINDOW_MS)
  const { id: firstId, at } = same.at(-1) ?? { id, at: now }
  return { id: firstId, at }
}
