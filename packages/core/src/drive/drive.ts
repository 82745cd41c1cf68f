/**
 * Runs the turns of one conversation this process owns, until there is nothing left to do.
 *
 *   begin ─▶ turn ─▶ ended ─▶ queue empty or held ─────────────▶ release      begin ─▶ rollback ─▶ finished ─▶ queue
 *              ▲        ├──▶ done, a guest is left to answer ───┐
 *              │        ├──▶ wait drainDelayMs ─▶ next message ─┤
 *              │        ├──▶ sent now ──────────────────────────┤
 *              │        └──▶ failed ─▶ wait ─▶ tried again ─────┤
 *              │   next message is being edited ─▶ wait for it ─┤
 *              └────────────────────────────────────────────────┘
 *   in any of them but a rollback, when this process drains ──▶ given away (`drain.ts`)
 *
 * Every write carries the epoch: a drive whose conversation was taken over can no longer write, and ends. A drive that
 * ends because the store is down leaves its turn running in the log, and `recover.ts` resumes it.
 */
import {
  type Address,
  type Again,
  Bug,
  Fault,
  type FeedNews,
  limits,
  type NewChange,
  type StreamId,
  type TurnId,
  type TurnRow,
  type TxId,
} from "@parlor/protocol"
import { withdrawals } from "../ask/ask.ts"
import { apply, hasWork } from "../log/apply.ts"
import { type Decision, decide, expectFirst, Fenced } from "../log/decide.ts"
import type { ConversationState } from "../log/state.ts"
import { wholeRow } from "../log/whole-row.ts"
import { writeAsOwner, writeSpent } from "../log/write.ts"
import { HandedOver } from "../model-call/hand-over.ts"
import { reasonFields } from "../ports/log.ts"
import { leaseTime } from "../queue/lease-time.ts"
import { removal, steering } from "../queue/queue.ts"
import { finishRollback } from "../rollback/finish.ts"
import { excerpt } from "../text/excerpt.ts"
import { nameConversation } from "../title/title.ts"
import { type Finished, runTurn } from "../turn/standard-turn.ts"
import { endTurn, startGuest } from "../turn/turn.ts"
import { Meter } from "../usage/meter.ts"
import { afterFailure, noteUnanswered } from "./after-failure.ts"
import { handOverDrive } from "./drain.ts"
import type { DriveAccess } from "./drive-access.ts"
import type { Next } from "./next.ts"
import type { Drive } from "./owned.ts"
import { starting, startNext, timeOrChange } from "./start-next.ts"

export type Begin = {
  readonly stream: StreamId
  readonly address: Address
  readonly epoch: number
  readonly first: Next
}

export function beginDrive(node: DriveAccess, begin: Begin): Drive {
  const drive = makeDrive(node, begin)
  startDrive(node, drive, begin.first)
  return drive
}

/** Ends a turn that another owner ran, as it is in the log, and continues from there. */
export async function endAbandoned(node: DriveAccess, begin: Omit<Begin, "first">, finished: Finished): Promise<Next> {
  const drive = makeDrive(node, begin)
  const next = await finish(node, drive, finished)
  if (next === undefined) throw new Bug("a turn that was stopped cannot be steered")
  startDrive(node, drive, next)
  return next
}

function makeDrive(node: DriveAccess, begin: Omit<Begin, "first">): Drive {
  let batch = 0
  const drive: Drive = {
    stream: begin.stream,
    address: begin.address,
    epoch: begin.epoch,
    txid: node.ids.next("drv") as TxId,
    batch: () => ++batch,
    meter: new Meter(),
    current: undefined,
    missed: false,
    waiting: undefined,
    poke: () => {
      drive.missed = true
    },
    over: Promise.resolve(),
  }
  return drive
}

function startDrive(node: DriveAccess, drive: Drive, first: Next): void {
  // The highest epoch wins, in whatever order the claims are processed here.
  const other = node.drives.get(drive.stream)
  if (other !== undefined && other.epoch > drive.epoch) return
  other?.current?.abort.abort(new Fenced())
  node.drives.set(drive.stream, drive)
  // It may be waiting for a time that is far off.
  other?.poke()
  drive.over = run(node, drive, first).finally(() => {
    drive.waiting?.cancel()
    forget(node, drive)
    void writeSpent(node, drive)
  })
}

async function run(node: DriveAccess, drive: Drive, first: Next): Promise<void> {
  try {
    let next = first
    while (next.kind !== "released") {
      // This process may have claimed it again while this drive waited for the store.
      if (node.drives.get(drive.stream) !== drive) throw new Fenced()
      if (next.kind !== "rollback") node.draining.signal.throwIfAborted()
      if (next.kind === "turn") next = await driveTurn(node, drive, next)
      else if (next.kind === "rollback") next = await driveRollback(node, drive, next)
      else {
        if (next.kind === "wait") await timeOrChange(node, drive, next)
        if (next.kind === "drain") await delay(node, node.settings.drainDelayMs)
        node.draining.signal.throwIfAborted()
        drive.missed = false
        next = await startNext(node, drive)
      }
    }
    forget(node, drive)
  } catch (error) {
    if (error instanceof HandedOver) await handOverDrive(node, drive)
    else if (error instanceof Fenced) node.log.warn("conversation taken over", { agent: drive.address.agent })
    else if (error instanceof Fault) {
      node.paused.add(drive.stream)
      node.log.warn("turn paused", { agent: drive.address.agent, ...reasonFields(error) })
    } else
      node.log.error("drive failed", {
        reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
      })
  }
}

async function driveTurn(node: DriveAccess, drive: Drive, first: Extract<Next, { kind: "turn" }>): Promise<Next> {
  const { turn, resume, cut, recovered = false } = first
  const abort = new AbortController()
  const write = async (changes: readonly NewChange[]) => {
    if (!(await writeAsOwner(node, drive, changes))) throw new Fenced()
  }
  const work = async () => {
    const parts = {
      owner: drive,
      turn,
      abort,
      write,
      resume,
      cut,
      recovered,
      shelf: new Map(),
      returning: { isRefused: false },
    }
    const { next, finished } = await runTurn(node, parts, (finished) => finish(node, drive, finished))
    return { next, state: finished.end.state }
  }
  const working = work()
  const ended = working.then(({ next, state }) => ({ state, next: next.kind === "turn" ? next.turn : undefined }))
  ended.catch(() => {})
  drive.current = { turn, abort, ended }
  try {
    const { next, state } = await working
    if (state === "done" && turn.compaction === null && turn.unattended !== true) void nameSoon(node, drive)
    return next
  } catch (error) {
    // Ends what waits for an answer or was started by a handler.
    if (error instanceof HandedOver) abort.abort(error)
    throw error
  } finally {
    drive.current = undefined
  }
}

/** Beside the drive, which may start the next turn meanwhile. */
async function nameSoon(node: DriveAccess, drive: Drive): Promise<void> {
  try {
    await node.draining.during((signal) => nameConversation(node, drive, signal))
  } catch (error) {
    if (!node.draining.signal.aborted)
      node.log.warn("could not name a conversation", { agent: drive.address.agent, ...reasonFields(error) })
  }
}

async function driveRollback(
  node: DriveAccess,
  drive: Drive,
  { told }: Extract<Next, { kind: "rollback" }>,
): Promise<Next> {
  const finishing = finishRollback(node, drive)
  told?.(finishing)
  await finishing
  return { kind: "queue" }
}

/**
 * Ends the turn and determines what comes next, in one decision. Undefined if a message steers it: then it has not
 * ended.
 */
async function finish(node: DriveAccess, drive: Drive, finished: Finished): Promise<Next | undefined> {
  const { end } = finished
  const now = end.state === "stopped" ? end.next : undefined
  const cleared = end.state === "stopped" && end.onQueue === "clear"
  const decided = await decide<Next | undefined>(
    node,
    drive.stream,
    async (state) => {
      const leasesAt = await leaseTime(node, state.queue)
      const waiting = cleared ? undefined : state.queue.find((row) => row.id === now)
      const sentNow = waiting && (await wholeRow(node, drive.stream, waiting))
      const at = node.clock.now()
      if (finished.steerable && steering(state.queue, leasesAt).length > 0) return { answer: undefined, changes: [] }
      const queueAfter = await afterFailure(node, state, finished, at)
      const ended = endTurn(state, finished.turn, end, at, finished.said, queueAfter)
      const removed = cleared ? state.queue.map(removal) : []
      const again = ended.status.again?.message === finished.turn.message ? ended.status.again : null
      const unanswered = again === null ? noteUnanswered(node, apply(state, finished.last), finished, at) : []
      const changes = [...finished.last, ...unanswered, ...withdrawals(state), ...ended.changes, ...removed]
      const after = apply(state, changes)
      const news = newsOf(finished, again)
      if (sentNow !== undefined) return { ...prepended(withoutStatus(changes), starting(node, after, sentNow)), news }
      const guest = end.state === "done" ? nextGuest(node, after, finished.turn) : undefined
      if (guest !== undefined) return { ...prepended(withoutStatus(changes), guest), news }
      if (hasWork(after)) return { answer: { kind: "drain" }, changes, news }
      return { answer: { kind: "released" }, changes, news, lease: { kind: "release" } }
    },
    { txid: drive.txid, owner: drive, queue: cleared || now !== undefined ? "whole" : "front" },
  )
  return expectFirst(decided).answer
}

/** A compaction is not an answer, so it is no news. */
function newsOf({ turn, end, said }: Finished, again: Again | null): FeedNews | undefined {
  if (turn.compaction !== null) return undefined
  const { id, message } = turn
  const news = { event: "turn.finished", turn: id, message, state: end.state } as const
  const retry = again === null ? {} : { retryAt: again.at }
  return { said: excerpt(said, limits.previewLength), ...news, ...retry }
}

/** Before any queued message: a guest named with a message belongs to that message (GST-6). */
function nextGuest(node: DriveAccess, state: ConversationState, done: TurnRow): Decision<Next> | undefined {
  const start = startGuest(state, done, node.ids.next("trn") as TurnId, node.clock.now())
  if (start === undefined) return undefined
  return { answer: { kind: "turn", turn: start.turn }, changes: start.changes }
}

/** Between a turn that ends and the one that starts in its place, the conversation is never idle (TRN-2). */
function withoutStatus(changes: readonly NewChange[]): readonly NewChange[] {
  return changes.filter((change) => change.collection !== "status")
}

function prepended<T>(changes: readonly NewChange[], decision: Decision<T>): Decision<T> {
  return { ...decision, changes: [...changes, ...decision.changes] }
}

function forget(node: DriveAccess, drive: Drive): void {
  if (node.drives.get(drive.stream) === drive) node.drives.delete(drive.stream)
}

function delay(node: DriveAccess, ms: number): Promise<void> {
  return new Promise((resolve) => void node.clock.after(ms, resolve))
}
