/**
 * Carries out the turns of one conversation this process owns, until there is nothing left to do.
 *
 *   begin ─▶ turn ─▶ steps … ─▶ end ─▶ queue empty or held ─▶ release
 *              ▲                  └──▶ wait drainDelayMs ─▶ next queued message ─┐
 *              └────────────────────────────────────────────────────────────────┘
 *
 * Every write carries the epoch: a drive whose conversation was taken over writes nothing more and ends. A drive that
 * ends because the store is down leaves its turn running in the log, for `recover.ts` to resume.
 */
import {
  type Address,
  type ComposerInput,
  Fault,
  type MessageId,
  type NewChange,
  type StreamId,
  type TurnId,
  type TurnRow,
  type TxId,
} from "@parlor/protocol"
import { agentOf } from "../conversation/address.ts"
import { decide, Fenced, neverRepeated } from "../conversation/decide.ts"
import { rowChange } from "../log/row-change.ts"
import type { Node } from "../node.ts"
import { next } from "../queue/queue.ts"
import type { Drive } from "./owned.ts"
import { type Finished, runTurn } from "./run-turn.ts"
import { endTurn, startTurn } from "./turn.ts"

export type Begin = {
  readonly stream: StreamId
  readonly address: Address
  readonly epoch: number
  /** The turn to run, or none when only the queue is to be looked at. */
  readonly turn: TurnRow | undefined
}

export function beginDrive(node: Node, begin: Begin): Drive {
  let batch = 0
  const drive: Drive = {
    stream: begin.stream,
    address: begin.address,
    epoch: begin.epoch,
    txid: node.ids.next("drv") as TxId,
    batch: () => ++batch,
    current: undefined,
    over: Promise.resolve(),
  }
  // Whoever claimed last owns it, in whatever order the claims are carried out here.
  if ((node.drives.get(begin.stream)?.epoch ?? 0) < begin.epoch) node.drives.set(begin.stream, drive)
  drive.over = run(node, drive, begin.turn).finally(() => forget(node, drive))
  return drive
}

async function run(node: Node, drive: Drive, first: TurnRow | undefined): Promise<void> {
  try {
    let turn = first
    if (turn === undefined) turn = await startNext(node, drive)
    while (turn !== undefined) {
      if (await driveTurn(node, drive, turn)) return forget(node, drive)
      await delay(node, node.settings.drainDelayMs)
      turn = await startNext(node, drive)
    }
  } catch (error) {
    if (error instanceof Fenced) node.log.warn("conversation taken over", { agent: drive.address.agent })
    else if (error instanceof Fault) node.log.warn("turn paused", { agent: drive.address.agent, reason: error.message })
    else
      node.log.error("drive failed", {
        reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
      })
  }
}

/** Runs one turn to its end. True when the conversation was released: there is nothing left to do. */
async function driveTurn(node: Node, drive: Drive, turn: TurnRow): Promise<boolean> {
  const abort = new AbortController()
  const write = (changes: readonly NewChange[]) => writeAsOwner(node, drive, changes)
  const work = async () => {
    const agent = () => agentOf(node, drive.address.agent)
    const finished = await runTurn(node, { stream: drive.stream, agent, turn, abort, write })
    return { released: await finish(node, drive, finished), state: finished.end.state }
  }
  const working = work()
  const ended = working.then(({ state }) => state)
  ended.catch(() => {})
  drive.current = { turn, abort, ended }
  try {
    return (await working).released
  } finally {
    drive.current = undefined
  }
}

async function finish(node: Node, drive: Drive, finished: Finished): Promise<boolean> {
  const decided = await decide(
    node,
    drive.stream,
    (state) => {
      const now = node.clock.now()
      const cleared = finished.end.state === "stopped" && finished.end.onQueue === "clear"
      const queue = cleared ? [] : state.queue
      const ended = endTurn(state, finished.turn, finished.end, now, finished.said)
      const removed = cleared
        ? state.queue.map((row) => ({ collection: "queue", key: row.id, operation: "delete", row }) as const)
        : []
      const goesOn = ended.status.held === null && queue.some((message) => message.mode !== "paused")
      return {
        answer: !goesOn,
        changes: [...finished.last, ...ended.changes, ...removed],
        status: ended.status,
        queued: queue.length,
        active: goesOn,
        ...(goesOn ? {} : { lease: { kind: "release" } as const }),
      }
    },
    { txid: drive.txid, owner: drive },
  )
  return neverRepeated(decided).answer
}

async function startNext(node: Node, drive: Drive): Promise<TurnRow | undefined> {
  const decided = await decide<TurnRow | undefined>(
    node,
    drive.stream,
    (state) => {
      const now = node.clock.now()
      const head = state.status.held === null ? next(state.queue, now) : undefined
      if (head === undefined)
        return {
          answer: undefined,
          changes: [],
          status: state.status,
          queued: state.queue.length,
          active: false,
          lease: { kind: "release" },
        }
      const turn = node.ids.next("trn") as TurnId
      const start = startTurn(state, { id: head.id as MessageId, input: head.payload as ComposerInput }, turn, now)
      return {
        answer: start.turn,
        changes: [{ collection: "queue", key: head.id, operation: "delete", row: head }, ...start.changes],
        status: start.status,
        queued: state.queue.length - 1,
        active: true,
      }
    },
    { txid: drive.txid, owner: drive },
  )
  return neverRepeated(decided).answer
}

async function writeAsOwner(node: Node, drive: Drive, changes: readonly NewChange[]): Promise<void> {
  const append = {
    stream: drive.stream,
    changes: changes.map(rowChange),
    txid: drive.txid,
    at: node.clock.now(),
    epoch: drive.epoch,
    batch: drive.batch(),
  }
  const appended = await node.writer.append(append, { keep: true })
  if (!appended.ok) throw new Fenced()
}

function forget(node: Node, drive: Drive): void {
  if (node.drives.get(drive.stream) === drive) node.drives.delete(drive.stream)
}

function delay(node: Node, ms: number): Promise<void> {
  return new Promise((resolve) => void node.clock.after(ms, resolve))
}
