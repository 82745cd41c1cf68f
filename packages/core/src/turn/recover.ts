/**
 * Takes a conversation that has something to do and no owner: after a crash, after a pause, or when a message was queued
 * while nobody was looking (TRN-7).
 *
 * A reply that was streaming is kept as far as it is in the log, marked truncated, and the step is made again. A reply
 * that had finished goes on with the tools that have not run; one that had started has an unknown outcome and is run
 * again only when it is repeatable.
 */
import {
  type DeltaRow,
  type MessageRow,
  type NewChange,
  type StatusRow,
  type StreamId,
  type TurnRow,
  type TxId,
  withDeltas,
} from "@parlor/protocol"
import { textOf } from "../context/context.ts"
import { type ConversationState, stateOf, stateQueries, statusChange } from "../conversation/state.ts"
import { rowChange } from "../log/row-change.ts"
import type { Node } from "../node.ts"
import { beginDrive, endAbandoned, type Next } from "./drive.ts"
import { readTurn } from "./read-turn.ts"
import { settleTools } from "./settle-tools.ts"
import type { StopAsked } from "./stop-asked.ts"

const STORE_WAS_DOWN = {
  code: "store.unavailable",
  detail: "The store could not be reached. The answer goes on now that it is back.",
} as const

/** The queue changed: see that someone looks at it. A drive that is in a turn will, when that ends. */
export function wake(node: Node, stream: StreamId): void {
  const drive = node.drives.get(stream)
  if (drive) drive.poke()
  else
    recover(node, stream).catch((error) => node.log.error("could not take the conversation", { reason: String(error) }))
}

/** One at a time for each conversation: a second claim of the same process would end what the first began. */
const underWay = new WeakMap<Node, Map<StreamId, Promise<boolean>>>()

/**
 * False when another process owns the conversation, or it is gone. `paused`: the store was down and is back, so the log
 * is to say that the turn had stopped for it (LOG-12).
 */
export function recover(node: Node, stream: StreamId, options: { readonly paused?: boolean } = {}): Promise<boolean> {
  const known = underWay.get(node) ?? new Map<StreamId, Promise<boolean>>()
  underWay.set(node, known)
  const recovering =
    known.get(stream) ?? take(node, stream, options.paused ?? false).finally(() => known.delete(stream))
  known.set(stream, recovering)
  return recovering
}

/**
 * Ends a turn that no drive of this process runs, whoever runs it. From the claim on, nobody else writes to it, so what
 * is in the log is what everyone has seen. Undefined when that turn does not run any more.
 */
export async function endElsewhere(
  node: Node,
  stream: StreamId,
  turn: string,
  stop: StopAsked,
): Promise<Next | undefined> {
  const found = await claim(node, stream, { force: true })
  if (found === undefined) return undefined
  const begin = { stream, address: found.state.address, epoch: found.epoch }
  if (found.turn?.id !== turn) {
    beginDrive(node, { ...begin, first: found.turn ? running(found) : { kind: "queue" } })
    return undefined
  }
  const last = found.streaming ? [cutOff(found.streaming)] : []
  const end = { state: "stopped", onQueue: stop.onQueue, next: stop.next } as const
  const said = found.streaming ? textOf(found.streaming.parts) : ""
  return endAbandoned(node, begin, { turn: found.turn, end, last, said })
}

async function take(node: Node, stream: StreamId, paused: boolean): Promise<boolean> {
  if (node.drives.has(stream)) return true
  const found = await claim(node, stream, { force: false })
  if (found === undefined) return false
  const { state, epoch } = found
  const begin = { stream, address: state.address, epoch }
  if (found.turn === undefined) {
    beginDrive(node, { ...begin, first: { kind: "queue" } })
    return true
  }
  const settled = await node.writer.append({
    stream,
    changes: settling(found, paused, node.clock.now()).map(rowChange),
    txid: node.ids.next("rcv") as TxId,
    at: node.clock.now(),
    epoch,
    active: true,
  })
  if (!settled.ok) return false
  node.log.info("turn resumed", { agent: state.address.agent, turn: found.turn.id })
  beginDrive(node, { ...begin, first: running(found) })
  return true
}

type Found = {
  readonly state: ConversationState
  readonly epoch: number
  readonly turn: TurnRow | undefined
  /** The message that was being said, with all that is in the log of it. */
  readonly streaming: MessageRow | undefined
}

async function claim(node: Node, stream: StreamId, options: { readonly force: boolean }): Promise<Found | undefined> {
  const lease = { kind: "claim", owner: node.name, ttlMs: node.settings.leaseMs, force: options.force } as const
  const txid = node.ids.next("rcv") as TxId
  const claimed = await node.writer.append({ stream, changes: [], txid, at: node.clock.now(), lease })
  if (!claimed.ok) return undefined
  const read = await node.store.read(stream, [
    ...stateQueries,
    { collection: "deltas" },
    { collection: "messages", newest: 2 },
  ])
  if (read === undefined) return undefined
  const state = stateOf(read)
  const [deltas, newest] = read.lists.slice(stateQueries.length)
  const said = (deltas ?? []).map((row) => JSON.parse(row.value) as DeltaRow)
  const streaming = (newest ?? [])
    .map((row) => JSON.parse(row.value) as MessageRow)
    .find((row) => row.state === "streaming")
  const turn = state.status.turn === null ? undefined : await readTurn(node.store, stream, state.status.turn)
  return { state, epoch: claimed.epoch, turn, streaming: streaming && withDeltas(streaming, said) }
}

/** A model call that had finished left its tool calls in the log; those that did not run are run. */
function running(found: Found): Next {
  return found.turn ? { kind: "turn", turn: found.turn, resume: resumable(found) } : { kind: "queue" }
}

function resumable(found: Found): MessageRow | undefined {
  return found.streaming?.parts.some((part) => part.type === "tool") ? found.streaming : undefined
}

function settling(found: Found, paused: boolean, now: number): readonly NewChange[] {
  const { status, asks } = found.state
  const state = asks.length > 0 ? "waiting" : "busy"
  const shown: StatusRow = { ...status, state, busyWith: "turn", error: null, attempt: null, retryAt: null, since: now }
  const cut = found.streaming && resumable(found) === undefined ? [cutOff(found.streaming)] : []
  const said = paused ? [statusChange({ ...shown, state: "error", busyWith: null, error: STORE_WAS_DOWN })] : []
  return [...cut, ...said, statusChange(shown)]
}

function cutOff(message: MessageRow): NewChange {
  const row: MessageRow = { ...message, state: "truncated", parts: settleTools(message.parts) }
  return { collection: "messages", key: row.id, operation: "update", row }
}
