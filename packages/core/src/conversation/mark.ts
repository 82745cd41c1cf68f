/** Title, pin, archive, read: marks on a conversation (ADR-7). */
import type { Address, FeedRow, Marks, StatusRow, TxId } from "@parlor/protocol"
import type { Node } from "../node.ts"
import { hasWork } from "../queue/queue.ts"
import { conversationFor } from "./address.ts"
import { decide, neverRepeated } from "./decide.ts"
import { feedChange, statusChange } from "./state.ts"

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

function marked(status: StatusRow, marks: Marks): StatusRow {
  return {
    ...status,
    title: marks.title ?? status.title,
    pinned: marks.pinned ?? status.pinned,
    archived: marks.archived ?? status.archived,
    unread: marks.read === undefined ? status.unread : !marks.read,
  }
}
