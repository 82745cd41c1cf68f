/** A turn of a conversation, by its id. */
import { type Address, Refusal, type TurnRow } from "@parlor/protocol"
import type { Agents } from "../agent/agent-of.ts"
import { conversationAt } from "../log/address.ts"
import { readTurn } from "../log/read-turn.ts"
import type { Ports } from "../ports/ports.ts"

export async function turnAt(node: Ports & Agents, address: Address, id: string): Promise<TurnRow> {
  const stream = await conversationAt(node, address)
  const turn = await readTurn(node.store, stream.id, id)
  if (turn === undefined) throw new Refusal("turn.unknown", `There is no turn ${id} here.`)
  return turn
}
