/** From who talks to whom to the stream that holds it. */
import { type Address, feedKey, MAIN_BRANCH, Refusal, type StreamId } from "@parlor/protocol"
import { agentOf } from "../agent/agent-of.ts"
import type { Node } from "../node.ts"
import type { Stream } from "../ports/store.ts"

const FEED_CACHE = 10_000
const feeds = new WeakMap<Node, Map<string, StreamId>>()

/**
 * The conversation at an address, to look at. `main` is always there, though it has nothing in it and is in no list
 * until someone writes to it (ADR-3); another branch has to be made first.
 */
export async function conversationAt(node: Node, address: Address): Promise<Stream> {
  agentOf(node, address.agent)
  const found = await node.store.find({ kind: "conversation", ...address })
  if (found && (found.head > 0 || address.branch === MAIN_BRANCH)) return found
  if (address.branch === MAIN_BRANCH) return node.store.ensure({ kind: "conversation", ...address })
  throw new Refusal("conversation.unknown", `There is no conversation ${feedKey(address)}.`)
}

export async function feedStream(node: Node, person: string): Promise<StreamId> {
  let known = feeds.get(node)
  if (known === undefined || known.size > FEED_CACHE) {
    known = new Map()
    feeds.set(node, known)
  }
  const id = known.get(person)
  if (id !== undefined) return id
  const stream = await node.store.ensure({ kind: "feed", person })
  known.set(person, stream.id)
  return stream.id
}
