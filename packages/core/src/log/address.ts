/** Finds the stream of a conversation by its address. */
import { type Address, feedKey, MAIN_BRANCH, Refusal, type StreamId } from "@parlor/protocol"
import { type Agents, agentOf } from "../agent/agent-of.ts"
import type { Ports } from "../ports/ports.ts"
import type { Stream } from "../ports/store.ts"
import type { LogAccess } from "./log-access.ts"

const FEED_CACHE = 10_000

/**
 * The conversation at an address, for reading. `main` always exists, although it is empty and in no list until someone
 * writes to it (ADR-3); any other branch has to be created first.
 */
export async function conversationAt(node: Ports & Agents, address: Address): Promise<Stream> {
  agentOf(node, address.agent)
  const found = await node.store.log.find({ kind: "conversation", ...address })
  if (found && (found.head > 0 || address.branch === MAIN_BRANCH)) return found
  if (address.branch === MAIN_BRANCH) return node.store.log.ensure({ kind: "conversation", ...address })
  throw new Refusal("conversation.unknown", `There is no conversation ${feedKey(address)}.`)
}

/** The feed may be a different stream from now on. */
export function forgetFeed({ feeds }: Pick<LogAccess, "feeds">, person: string): void {
  feeds.delete(person)
}

export async function feedStream(
  { feeds, store }: Pick<LogAccess, "feeds" | "store">,
  person: string,
): Promise<StreamId> {
  const known = feeds.get(person)
  if (known !== undefined) return known
  const { id } = await store.log.ensure({ kind: "feed", person })
  if (feeds.size > FEED_CACHE) feeds.clear()
  feeds.set(person, id)
  return id
}
