import type { TurnRow } from "@parlor/protocol"

/** The author of a turn's messages: empty for the conversation's own agent (GST-2). */
export function authorOf({ agent, guest }: Pick<TurnRow, "agent" | "guest">): string {
  return guest === null || guest === agent ? "" : guest
}
