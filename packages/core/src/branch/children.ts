/**
 * The branches of a conversation. Its rows name them; the person's feed has their existence and current state. A row is
 * ignored if its branch was never created, was deleted, or now has another parent.
 */
import {
  type Address,
  type BranchRow,
  type BranchView,
  type FeedRow,
  feedKey,
  parseRow,
  type StreamId,
} from "@parlor/protocol"
import type { Agents } from "../agent/agent-of.ts"
import { conversationAt, feedStream } from "../log/address.ts"
import type { LogAccess } from "../log/log-access.ts"

/** Keys per read of the feed. */
const KEYS = 50

/** Most recently active first. */
export async function listBranches(node: LogAccess & Agents, address: Address): Promise<readonly BranchView[]> {
  const stream = await conversationAt(node, address)
  const found = await childrenOf(node, address, stream.id)
  return found
    .filter(({ feed }) => feed.deleteAt === null)
    .map(({ row, feed }): BranchView => {
      const { ephemeral, title, preview, state, unread, archived, activityAt } = feed
      return { ...row, ephemeral, title, preview, state, unread, archived, activityAt }
    })
    .sort((a, b) => b.activityAt - a.activityAt || (a.branch < b.branch ? -1 : 1))
}

export type Child = { readonly row: BranchRow; readonly feed: FeedRow }

export async function childrenOf(
  node: LogAccess & Agents,
  address: Address,
  stream: StreamId,
): Promise<readonly Child[]> {
  const rows = ((await node.store.log.read(stream, [{ collection: "branches" }]))?.lists[0] ?? []).map((row) =>
    parseRow("branches", row.value),
  )
  const feed = await feedStream(node, address.person)
  const children: Child[] = []
  for (let start = 0; start < rows.length; start += KEYS) {
    const some = rows.slice(start, start + KEYS)
    const queries = some.map(
      ({ branch }) => ({ collection: "conversations", key: feedKey({ agent: address.agent, branch }) }) as const,
    )
    const lists = (await node.store.log.read(feed, queries))?.lists ?? []
    some.forEach((row, index) => {
      const stored = lists[index]?.[0]
      const known = stored && parseRow("conversations", stored.value)
      if (known?.parent === address.branch) children.push({ row, feed: known })
    })
  }
  return children
}
