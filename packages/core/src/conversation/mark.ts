/** Title, pin, archive, labels, read: marks on a conversation (ADR-7, ADR-9). */
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

/** A person's title is never replaced; without one, it may be generated again (ADR-13). */
function titled(status: StatusRow, title: string | undefined): Pick<StatusRow, "title" | "titledBy" | "titleTries"> {
  const { titledBy, titleTries } = status
  if (title === undefined) return { title: status.title, titledBy, titleTries }
  return title === "" ? { title, titledBy: "words", titleTries: 0 } : { title, titledBy: "person", titleTries }
}

function marked(status: StatusRow, marks: Marks): StatusRow {
  return {
    ...status,
    ...titled(status, marks.title),
    pinned: marks.pinned ?? status.pinned,
    archived: marks.archived ?? status.archived,
    labels: marks.labels ?? status.labels,
    deleteAt: marks.deleted === false ? null : status.deleteAt,
    unread: marks.read === undefined ? status.unread : !marks.read,
  }
}
