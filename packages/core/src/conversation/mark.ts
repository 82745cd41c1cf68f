/** Title, pin, archive, read: marks on a conversation (ADR-7). */
import type { Address, FeedRow, Marks, StatusRow, TxId } from "@parlor/protocol"
import type { Agents } from "../agent/agent-of.ts"
import { apply, feedRow } from "../log/apply.ts"
import { decide, expectFirst } from "../log/decide.ts"
import type { LogAccess } from "../log/log-access.ts"
import { statusChange } from "../log/state.ts"
import { conversationFor } from "./create.ts"

export async function mark(node: LogAccess & Agents, address: Address, marks: Marks, txid: TxId): Promise<FeedRow> {
  const stream = await conversationFor(node, address, txid)
  const decided = await decide<FeedRow>(
    node,
    stream.id,
    (state) => {
      const changes = [statusChange(marked(state.status, marks))]
      return { answer: feedRow(apply(state, changes)), changes }
    },
    { txid },
  )
  return expectFirst(decided).answer
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
