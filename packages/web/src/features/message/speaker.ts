/** The author of the coming reply: empty for the conversation's own agent (GST-2). */
import type { MessageRow, StatusRow, TurnRow } from "@parlor/protocol"

export type Speaking = {
  readonly status: Pick<StatusRow, "turn"> | null
  readonly turns: readonly Pick<TurnRow, "id" | "agent" | "guest">[]
  readonly messages: readonly Pick<MessageRow, "role" | "author" | "turn">[]
}

/** For a turn that started before the page was opened, the author of its messages. */
export function speakerOf(state: Speaking | undefined): string {
  const running = state?.status?.turn ?? null
  if (state === undefined || running === null) return ""
  const turn = state.turns.find(({ id }) => id === running)
  if (turn !== undefined) return turn.guest === null || turn.guest === turn.agent ? "" : turn.guest
  const said = state.messages.findLast((message) => message.role === "agent" && message.turn === running)
  return said?.author ?? ""
}
