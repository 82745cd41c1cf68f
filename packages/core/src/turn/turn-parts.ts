/** What the pieces of a running turn share, and how they begin a reply. */
import type { MessageId, MessageRow, NewChange, TurnRow } from "@parlor/protocol"
import type { Shelf } from "../composer/attached.ts"
import type { Owner } from "../log/owner.ts"
import { Reply } from "../model-call/reply.ts"
import type { Node } from "../node.ts"
import { authorOf } from "./turn.ts"

export type TurnParts = {
  readonly owner: Owner
  readonly turn: TurnRow
  readonly abort: AbortController
  readonly write: (changes: readonly NewChange[]) => Promise<void>
  /** A message whose model call had finished before a crash, with tools left to run. */
  readonly resume: MessageRow | undefined
  /** The turn was cut off and goes on. */
  readonly recovered: boolean
  /** What it has loaded of attachments. */
  readonly shelf: Shelf
}

/** Goes on with a message whose model call had finished before a crash. */
export function replyFrom(parts: TurnParts, row: MessageRow): Reply {
  return new Reply({ ...replyParts(parts), id: row.id, ord: row.ord, at: row.at }, row.parts)
}

export function replyAfter(node: Node, parts: TurnParts, ord: number): Reply {
  const at = node.clock.now()
  return new Reply({ ...replyParts(parts), id: node.ids.next("msg") as MessageId, ord: ord + 1, at })
}

function replyParts(parts: TurnParts) {
  return {
    turn: parts.turn.id,
    author: authorOf(parts.turn),
    write: parts.write,
    onFailure: (error: unknown) => parts.abort.abort(error),
  }
}
