/** A person stops the running turn: its reply so far stays (TRN-4, TRN-5, QUE-5). */
import { type Address, Refusal, type StreamId, type TurnRow, type TurnState, type TxId } from "@parlor/protocol"
import { agentOf } from "../agent/agent-of.ts"
import { conversationAt } from "../log/address.ts"
import { Fenced, readState } from "../log/decide.ts"
import { type OnQueue, StopAsked } from "../turn/stop-asked.ts"
import type { DriveAccess } from "./drive-access.ts"
import { endElsewhere } from "./recover.ts"

/** Another process may take the conversation while it is being claimed here. */
const TRIES = 5
const YIELD_MS = 60

export type Stop = {
  /** The turn to stop, so that a late stop cannot hit the next one. */
  readonly turn: string | undefined
  readonly onQueue: OnQueue | undefined
  readonly txid: TxId
}

export async function stop(
  node: DriveAccess,
  address: Address,
  asked: Stop,
): Promise<{ turn: string; state: TurnState }> {
  const stream = await conversationAt(node, address)
  const onQueue = asked.onQueue ?? agentOf(node, address.agent).onStop ?? "hold"
  let meant = asked.turn
  for (let tries = 0; tries < TRIES; tries++) {
    const running = (await readState(node, stream.id)).status.turn
    if (running === null) throw nothingRuns(meant)
    meant ??= running
    if (meant !== running) throw over(meant)
    const { stopped } = await endRunning(node, stream.id, running, new StopAsked(onQueue))
    if (stopped) return { turn: running, state: "stopped" }
  }
  throw new Refusal("conversation.contended", "Too many requests stopped it at the same moment. Try again.")
}

/**
 * Ends the turn here if it runs here, otherwise takes the conversation from its owner. Either way nothing is added
 * after this returns. `next` is the turn that started in its place. Not stopped: the turn ended otherwise, or another
 * process is ending it.
 */
export async function endRunning(
  node: DriveAccess,
  stream: StreamId,
  turn: string,
  asked: StopAsked,
): Promise<{ readonly stopped: boolean; readonly next: TurnRow | undefined }> {
  const current = node.drives.get(stream)?.current
  if (current?.turn.id === turn) {
    current.abort.abort(asked)
    try {
      const { state, next } = await current.ended
      return { stopped: state === "stopped", next }
    } catch (error) {
      return notEnded(node, error)
    }
  }
  try {
    const next = await endElsewhere(node, stream, turn, asked)
    return { stopped: next !== undefined, next: next?.kind === "turn" ? next.turn : undefined }
  } catch (error) {
    return notEnded(node, error)
  }
}

/** Another process took it, most likely to end it: give it time, or both would take it from each other forever. */
async function notEnded(
  node: DriveAccess,
  error: unknown,
): Promise<{ readonly stopped: false; readonly next: undefined }> {
  if (!(error instanceof Fenced)) throw error
  const ms = YIELD_MS * (1 + node.random.next())
  await new Promise<void>((resolve) => void node.clock.after(ms, resolve))
  return { stopped: false, next: undefined }
}

function nothingRuns(turn: string | undefined): Refusal {
  return turn === undefined ? new Refusal("turn.none", "There is nothing to stop: no turn is running.") : over(turn)
}

function over(turn: string): Refusal {
  return new Refusal("turn.over", `The turn ${turn} has already ended.`)
}
