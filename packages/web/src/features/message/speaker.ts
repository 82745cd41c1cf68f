/** Who is about to say something, by the author its messages carry: empty for the conversation's own agent (GST-2). */
import type { MessageRow, StatusRow, TurnRow } from "@parlor/protocol"

export type Speaking = {
  readonly status: Pick<StatusRow, "turn"> | null
  readonly turns: readonly Pick<TurnRow, "id" | "agent" | "guest">[]
  readonly messages: readonly Pick<MessageRow, "role" | "author" | "turn">[]
}

/** A turn that began before the page was opened is known by what was said in it. */
export function speakerOf(state: Speaking | undefined): string {
  const running = state?.status?.turn ?? null
  if (state === undefined || running === null) return ""
  const turn = state.turns.find(({ id }) => id === running)
  if (turn !== undefined) return turn.guest === null || turn.guest === turn.agent ? "" : turn.guest
  const said = state.messages.findLast((message) => message.role === "agent" && message.turn === running)
  return said?.author ?? ""
}
