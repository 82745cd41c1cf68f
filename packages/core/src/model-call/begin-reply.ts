/** How a turn begins or continues a message. */
import type { MessageId, MessageRow, NewChange, TurnRow } from "@parlor/protocol"
import { authorOf } from "../guest/author-of.ts"
import type { Ports } from "../ports/ports.ts"
import { Reply } from "./reply.ts"

export type Replying = {
  readonly turn: TurnRow
  /** Aborted when the reply cannot be written. */
  readonly abort: AbortController
  readonly write: (changes: readonly NewChange[]) => Promise<void>
}

/** Continues a message whose model call had finished before a crash. */
export function replyFrom(replying: Replying, row: MessageRow): Reply {
  return new Reply({ id: row.id, ord: row.ord, at: row.at, ...replyParts(replying, row.model ?? null) }, row)
}

/** The reply of a repeated step, in the row of the interrupted one (TRN-18). */
export function replyInPlaceOf(replying: Replying, { id, ord, at }: MessageRow, model: string): Reply {
  return new Reply({ id, ord, at, replaces: true, ...replyParts(replying, model) })
}

export function replyAfter(
  { clock, ids }: Pick<Ports, "clock" | "ids">,
  replying: Replying,
  ord: number,
  model: string | null = null,
): Reply {
  const id = ids.next("msg") as MessageId
  return new Reply({ id, ord: ord + 1, at: clock.now(), ...replyParts(replying, model) })
}

function replyParts({ turn, abort, write }: Replying, model: string | null) {
  const onFailure = (error: unknown) => abort.abort(error)
  return { turn: turn.id, author: authorOf(turn), model, write, onFailure }
}
