/** Messages whose turn failed without a reply, with the reason. Pure (MSG-9). */
import type { LiveState } from "@parlor/client"
import type { MessageRow, ProblemNote, TurnRow } from "@parlor/protocol"

export type FailureScene = {
  readonly turns: readonly Pick<TurnRow, "message" | "state" | "error" | "retriedBy" | "startedAt">[]
  readonly messages: readonly Pick<MessageRow, "id" | "role" | "turn" | "state">[]
  readonly status: Pick<NonNullable<LiveState["status"]>, "state"> | null | undefined
}

/** By message. The newest failure has a card of its own while nothing was sent after it. */
export function failuresOf({ turns, messages, status }: FailureScene): ReadonlyMap<string, ProblemNote> {
  const found = new Map<string, ProblemNote>()
  const last = new Map<string, number>()
  for (const turn of turns) {
    if ((last.get(turn.message) ?? -1) > turn.startedAt) continue
    last.set(turn.message, turn.startedAt)
    if (turn.state === "failed" && turn.error !== null && turn.retriedBy === undefined)
      found.set(turn.message, turn.error)
    else found.delete(turn.message)
  }
  if (found.size === 0) return found
  for (const { role, state, turn } of messages)
    if (role === "agent" && state === "failed") found.delete(messages.find((one) => one.turn === turn)?.id ?? "")
  if (status?.state === "error") found.delete(messages.findLast(({ role }) => role === "person")?.id ?? "")
  return found
}
