/** A person stops the running turn: what it said so far stays (TRN-4, TRN-5, QUE-5). */
import { type Address, Refusal, type TurnState, type TxId } from "@parlor/protocol"
import { conversationAt } from "../conversation/address.ts"
import { stateOf, stateQueries } from "../conversation/state.ts"
import type { Node } from "../node.ts"
import { recover } from "./recover.ts"
import { StopAsked } from "./run-turn.ts"

export type Stop = {
  /** The turn that is meant; a late stop cannot hit the next one. */
  readonly turn: string | undefined
  readonly onQueue: "hold" | "drain" | "clear"
  readonly txid: TxId
}

export async function stop(node: Node, address: Address, asked: Stop): Promise<{ turn: string; state: TurnState }> {
  const stream = await conversationAt(node, address)
  const read = await node.store.read(stream.id, stateQueries)
  const running = read && stateOf(read).status.turn
  if (!running) throw nothingRuns(asked.turn)
  if (asked.turn !== undefined && asked.turn !== running) throw over(asked.turn)
  if (!node.drives.has(stream.id) && !(await recover(node, stream.id)))
    throw new Refusal("conversation.busy", "Another server runs this turn. Ask there, or try again shortly.")
  const current = node.drives.get(stream.id)?.current
  if (current?.turn.id !== running) throw over(running)
  current.abort.abort(new StopAsked(asked.onQueue))
  const state = await current.ended
  if (state !== "stopped") throw over(running)
  return { turn: running, state }
}

function nothingRuns(turn: string | undefined): Refusal {
  return turn === undefined
    ? new Refusal("turn.none", "No turn is running here. There is nothing to stop.")
    : over(turn)
}

function over(turn: string): Refusal {
  return new Refusal("turn.over", `The turn ${turn} has ended already.`)
}
