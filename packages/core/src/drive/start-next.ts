/**
 * Looks at a conversation in which nothing runs, and starts what is next: a queued message, or a failed message that is
 * tried again. Waits for the person who edits the next message, and for the end of a hold after an error.
 */
import { type Again, limits, type Millis, type QueueRow, type TurnId } from "@parlor/protocol"
import { type Decision, decide, expectFirst } from "../log/decide.ts"
import { readTurn } from "../log/read-turn.ts"
import type { ConversationState } from "../log/state.ts"
import { wholeRow } from "../log/whole-row.ts"
import { isTimed, nextUp } from "../queue/next-up.ts"
import { removal } from "../queue/queue.ts"
import type { Waiting } from "../queue/waiting.ts"
import { LONGEST_DELAY } from "../turn/after-error.ts"
import { startAgain, startTurn } from "../turn/turn.ts"
import type { DriveAccess } from "./drive-access.ts"
import type { Next } from "./next.ts"
import type { Drive } from "./owned.ts"

export async function startNext(node: DriveAccess, drive: Drive): Promise<Next> {
  // The first message from a trigger may be behind the front of a held queue.
  return (await lookAt(node, drive, "front")) ?? (await lookAt(node, drive, "whole")) ?? { kind: "released" }
}

/** Undefined if the whole queue has to be read. */
async function lookAt(node: DriveAccess, drive: Drive, queue: "front" | "whole"): Promise<Next | undefined> {
  const decided = await decide<Next | undefined>(
    node,
    drive.stream,
    async (state) => {
      const { held } = state.status
      if (queue === "front" && held?.only !== undefined && state.queued > state.queue.length)
        return { answer: undefined, changes: [] }
      const now = isTimed(state.status) ? await node.store.now() : 0
      const next = nextUp(state.status, state.queue, (time) => time <= now || hasLapsed(drive, time))
      if (next === undefined) return { answer: { kind: "released" }, changes: [], lease: { kind: "release" } }
      if (next.kind === "retry") return retrying(node, state, next.again)
      if (next.kind === "message") return startingUnlessEdited(node, drive, state, next.row)
      const ms = Math.min(next.until - now, node.settings.errorHold.maxMs * LONGEST_DELAY)
      return { answer: { kind: "wait", until: next.until, ms }, changes: [] }
    },
    { txid: drive.txid, owner: drive, queue },
  )
  return expectFirst(decided).answer
}

/** Takes a message out of the queue and starts its turn: exactly once, because both are one decision (QUE-14). */
export function starting(node: DriveAccess, state: ConversationState, row: QueueRow): Decision<Next> {
  const turn = node.ids.next("trn") as TurnId
  const start = startTurn(state, row, turn, node.clock.now())
  return { answer: { kind: "turn", turn: start.turn }, changes: [removal(row), ...start.changes] }
}

/** Resolves when the queue changed, or the time has come. The time keeps running while the queue changes. */
export function timeOrChange(
  node: DriveAccess,
  drive: Drive,
  { until, ms }: Extract<Next, { kind: "wait" }>,
): Promise<void> {
  if (drive.waiting?.until !== until) {
    drive.waiting?.cancel()
    const cancel = node.clock.after(ms, () => {
      if (drive.waiting?.until === until) drive.waiting.hasLapsed = true
      drive.poke()
    })
    drive.waiting = { until, hasLapsed: false, cancel }
  }
  // The queue may have changed while it was being read: then there is nothing to wait for.
  if (drive.missed) return Promise.resolve()
  const { poke } = drive
  return new Promise((resolve) => {
    drive.poke = () => {
      drive.poke = poke
      resolve()
    }
  })
}

async function retrying(node: DriveAccess, state: ConversationState, again: Again): Promise<Decision<Next>> {
  const failed = await readTurn(node.store, state.stream.id, again.turn)
  const start = startAgain(state, again, failed, node.ids.next("trn") as TurnId, node.clock.now())
  return { answer: { kind: "turn", turn: start.turn }, changes: start.changes }
}

async function startingUnlessEdited(
  node: DriveAccess,
  drive: Drive,
  state: ConversationState,
  row: Waiting,
): Promise<Decision<Next>> {
  const ms = await editedFor(node, drive, row)
  if (ms > 0) return { answer: { kind: "wait", until: row.lease?.until ?? 0, ms }, changes: [] }
  return starting(node, state, await wholeRow(node, drive.stream, row))
}

/**
 * How long to wait for the person editing the message, at most the length of a lease: a clock that was set back does
 * not make it longer. Zero if nobody is editing.
 */
async function editedFor(node: DriveAccess, drive: Drive, { lease }: Pick<QueueRow, "lease">): Promise<number> {
  if (lease === null || hasLapsed(drive, lease.until)) return 0
  return Math.min(lease.until - (await node.store.now()), limits.editLeaseMs)
}

function hasLapsed(drive: Drive, until: Millis): boolean {
  return drive.waiting?.until === until && drive.waiting.hasLapsed
}
