/** A turn of a conversation, by its id. */
import { type Address, Refusal, type TurnRow } from "@parlor/protocol"
import { conversationAt } from "../conversation/address.ts"
import type { Node } from "../node.ts"
import { readTurn } from "./read-turn.ts"

export async function turnAt(node: Node, address: Address, id: string): Promise<TurnRow> {
  const stream = await conversationAt(node, address)
  const turn = await readTurn(node.store, stream.id, id)
  if (turn === undefined) throw new Refusal("turn.unknown", `There is no turn ${id} here.`)
  return turn
}
