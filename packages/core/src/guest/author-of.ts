import type { TurnRow } from "@parlor/protocol"

/** The author the messages of a turn carry: empty for the conversation's own agent (GST-2). */
export function authorOf({ agent, guest }: Pick<TurnRow, "agent" | "guest">): string {
  return guest === null || guest === agent ? "" : guest
}
