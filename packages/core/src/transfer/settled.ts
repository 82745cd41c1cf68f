/** Marks what was still streaming or running at the time of the export as stopped. */
import type { MessageRow, TurnRow } from "@parlor/protocol"

export function settled(message: MessageRow): MessageRow {
  return message.state === "streaming" ? { ...message, state: "truncated" } : message
}

export function settledTurn(turn: TurnRow): TurnRow {
  const { state } = turn
  const runs = state === "running" || state === "retrying" || state === "waiting"
  return runs ? { ...turn, state: "interrupted" } : turn
}
