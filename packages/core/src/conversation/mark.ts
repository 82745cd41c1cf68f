/** Title, pin, archive, read: marks on a conversation; and deleting it, which is something else (ADR-7). */
import {
  type Address,
  type FeedRow,
  feedKey,
  type Marks,
  Refusal,
  type StatusRow,
  type StreamId,
  type TxId,
} from "@parlor/protocol"
import { rowChange } from "../log/row-change.ts"
import type { Node } from "../node.ts"
import { hasWork } from "../queue/queue.ts"
import { conversationFor, feedStream } from "./address.ts"
import { decide, Fenced, neverRepeated } from "./decide.ts"
import { feedChange, newStatus, statusChange } from "./state.ts"

export async function mark(node: Node, address: Address, marks: Marks, txid: TxId): Promise<FeedRow> {
  const stream = await conversationFor(node, address, txid)
  const decided = await decide<FeedRow>(
    node,
    stream.id,
    (state) => {
      const status = marked(state.status, marks)
      const { queued } = state
      const row = feedChange(state.address, status, { queued, asks: state.asks.length }).row as FeedRow
      return { answer: row, changes: [statusChange(status)], status, queued, active: hasWork(status, state.queue) }
    },
    { txid },
  )
  return neverRepeated(decided).answer
}

/**
 * Ends a running turn, then deletes everything the conversation had; its rows in the feed's log go blank (SEC-11).
 */
export async function remove(node: Node, address: Address, txid: TxId): Promise<StreamId> {
  const stream = await node.store.find({ kind: "conversation", ...address })
  if (stream === undefined) throw new Refusal("conversation.unknown", `There is no conversation ${feedKey(address)}.`)
  const drive = node.drives.get(stream.id)
  drive?.current?.abort.abort(new Fenced())
  const blank = feedChange(address, newStatus(node.clock.now()), { queued: 0, asks: 0 })
  const gone = { ...blank, operation: "delete" } as const
  const at = node.clock.now()
  const feed = { stream: await feedStream(node, address.person), changes: [rowChange(gone)], txid, at }
  const appended = await node.store.remove(stream.id, {
    feed,
    audit: { at, person: address.person, act: "conversation.deleted", subject: feedKey(address) },
  })
  node.known.remove(stream.id, address)
  if (appended?.ok)
    node.hub.publish(feed.stream, [{ ...gone, seq: appended.head, value: JSON.stringify(gone.row), txid, at }])
  return stream.id
}

function marked(status: StatusRow, marks: Marks): StatusRow {
  return {
    ...status,
    title: marks.title ?? status.title,
    pinned: marks.pinned ?? status.pinned,
    archived: marks.archived ?? status.archived,
    unread: marks.read === undefined ? status.unread : !marks.read,
  }
}
