/**
 * What whoever speaks in a turn is given beside the conversation: who it is, its instructions, its notes, its tools.
 *
 * Made once at the start of a turn, so that an agent edited meanwhile applies from the next turn on.
 */
import type { TurnRow } from "@parlor/protocol"
import type { Brief } from "../context/brief.ts"
import { agentOf } from "../conversation/address.ts"
import type { Node } from "../node.ts"
import type { Drive } from "./owned.ts"

/** Refused when the agent is no longer defined: then the turn fails, visibly. */
export async function briefFor(node: Node, drive: Drive, turn: TurnRow): Promise<Brief> {
  const speaker = agentOf(node, turn.guest ?? drive.address.agent)
  const isGuest = turn.guest !== null && turn.guest !== drive.address.agent
  return {
    speaker,
    author: isGuest ? speaker.name : "",
    instructions: speaker.instructions,
    notes: "",
    tools: isGuest ? [] : speaker.tools,
  }
}
