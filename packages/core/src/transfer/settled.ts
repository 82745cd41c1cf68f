/** What was still moving when it was exported has stopped. */
import type { MessageRow, TurnRow } from "@parlor/protocol"

export function settled(message: MessageRow): MessageRow {
  return message.state === "streaming" ? { ...message, state: "truncated" } : message
}

export function settledTurn(turn: TurnRow): TurnRow {
  const { state } = turn
  const runs = state === "running" || state === "retrying" || state === "waiting"
  return runs ? { ...turn, state: "interrupted" } : turn
}
