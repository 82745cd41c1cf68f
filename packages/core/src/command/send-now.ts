/**
 * Starts a queued message now: the running turn is stopped with its partial reply kept, this message starts in its
 * place, and the others keep their order after it (QUE-10). The end of one turn and the start of the other are one
 * decision.
 */
import {
  type Address,
  formatOffset,
  type MessageId,
  Refusal,
  type Sent,
  type TurnId,
  type TxId,
} from "@parlor/protocol"
import { beginDrive } from "../drive/drive.ts"
import { endRunning } from "../drive/stop.ts"
import { conversationAt } from "../log/address.ts"
import { decide, expectFirst, readState } from "../log/decide.ts"
import { offsetAt } from "../log/offset-at.ts"
import { isBusy } from "../log/state.ts"
import { wholeRow } from "../log/whole-row.ts"
import { claimBy } from "../log/write.ts"
import { removal } from "../queue/queue.ts"
import { StopAsked } from "../turn/stop-asked.ts"
import { type Start, startTurn } from "../turn/turn.ts"
import { queued } from "./change-queue.ts"
import type { CommandAccess } from "./command-access.ts"

/** A turn may end by itself, and another start, while this one is being stopped. */
const TRIES = 5

export async function sendNow(node: CommandAccess, address: Address, id: string, txid: TxId): Promise<Sent> {
  const stream = await conversationAt(node, address)
  for (let tries = 0; tries < TRIES; tries++) {
    const state = await readState(node, stream.id, true)
    await queued(node, stream.id, state, id)
    const running = state.status.turn
    if (running === null) {
      const started = await startIdle(node, address, stream.id, id, txid)
      if (started) return started
      continue
    }
    const { next } = await endRunning(node, stream.id, running, new StopAsked("drain", id as MessageId))
    if (next?.message === id) {
      const { head } = (await readState(node, stream.id)).stream
      return { message: id, outcome: "started", turn: next.id, txid, offset: await offsetAt(node, stream.id, head) }
    }
  }
  throw new Refusal("conversation.contended", "Too many turns started and ended at the same moment. Try again.")
}

/** Undefined if a turn has started in the meantime. */
async function startIdle(
  node: CommandAccess,
  address: Address,
  stream: Parameters<typeof readState>[1],
  id: string,
  txid: TxId,
): Promise<Sent | undefined> {
  const decided = await decide<Start | undefined>(
    node,
    stream,
    async (state) => {
      const waiting = await queued(node, stream, state, id)
      if (state.status.turn === null && isBusy(state.status))
        throw new Refusal("conversation.busy", "A rollback is in progress. Try again in a moment.")
      if (state.status.turn !== null) return { answer: undefined, changes: [] }
      const row = await wholeRow(node, stream, waiting)
      const turn = node.ids.next("trn") as TurnId
      const start = startTurn(state, row, turn, node.clock.now())
      return {
        answer: start,
        changes: [removal(row), ...start.changes],
        lease: claimBy(node, { force: true }),
      }
    },
    { txid, queue: "whole" },
  )
  const { answer: start, appended } = expectFirst(decided)
  if (start === undefined) return undefined
  beginDrive(node, { stream, address, epoch: appended.epoch, first: { kind: "turn", turn: start.turn } })
  return { message: id, outcome: "started", turn: start.turn.id, txid, offset: formatOffset(appended.head, txid) }
}
