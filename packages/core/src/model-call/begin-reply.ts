/** How a turn begins a message, and goes on with one. */
import type { MessageId, MessageRow, NewChange, TurnRow } from "@parlor/protocol"
import { authorOf } from "../guest/author-of.ts"
import type { Ports } from "../ports/ports.ts"
import { Reply } from "./reply.ts"

export type Replying = {
  readonly turn: TurnRow
  /** Aborted when what was said cannot be written. */
  readonly abort: AbortController
  readonly write: (changes: readonly NewChange[]) => Promise<void>
}

/** Goes on with a message whose model call had finished before a crash. */
export function replyFrom(replying: Replying, row: MessageRow): Reply {
  return new Reply({ ...replyParts(replying), id: row.id, ord: row.ord, at: row.at }, row.parts)
}

/** The answer of a step that is asked again, in the row of what it had said when it was cut off (TRN-18). */
export function replyInPlaceOf(replying: Replying, { id, ord, at }: MessageRow): Reply {
  return new Reply({ ...replyParts(replying), id, ord, at, replaces: true })
}

export function replyAfter({ clock, ids }: Pick<Ports, "clock" | "ids">, replying: Replying, ord: number): Reply {
  return new Reply({ ...replyParts(replying), id: ids.next("msg") as MessageId, ord: ord + 1, at: clock.now() })
}

function replyParts({ turn, abort, write }: Replying) {
  return { turn: turn.id, author: authorOf(turn), write, onFailure: (error: unknown) => abort.abort(error) }
}
