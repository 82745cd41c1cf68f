/**
 * Takes a conversation that has something to do and no owner: after a crash, after a pause, or when a message was queued
 * while nobody was looking (TRN-7).
 *
 * A reply that was streaming is kept as far as it is in the log, marked truncated. A tool that had started has an
 * unknown outcome; it is not run again. Then the turn goes on with its next step.
 */
import {
  type DeltaRow,
  type MessageRow,
  type NewChange,
  type Part,
  type StreamId,
  type TurnRow,
  type TxId,
  withDeltas,
} from "@parlor/protocol"
import { stateOf, stateQueries, statusChange } from "../conversation/state.ts"
import { rowChange } from "../log/row-change.ts"
import type { Node } from "../node.ts"
import { beginDrive } from "./drive.ts"

const STORE_WAS_DOWN = {
  code: "store.unavailable",
  detail: "The store could not be reached. The answer goes on now that it is back.",
} as const

/** Something was queued: see that someone looks at it. A drive that is there will, when its turn ends. */
export function wake(node: Node, stream: StreamId): void {
  if (node.drives.has(stream)) return
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

async function take(node: Node, stream: StreamId, paused: boolean): Promise<boolean> {
  const txid = node.ids.next("rcv") as TxId
  const lease = { kind: "claim", owner: node.name, ttlMs: node.settings.leaseMs } as const
  if (node.drives.has(stream)) return true
  const claimed = await node.writer.append({ stream, changes: [], txid, at: node.clock.now(), lease })
  if (!claimed.ok) return false
  const read = await node.store.read(stream, [
    ...stateQueries,
    { collection: "deltas" },
    { collection: "messages", newest: 2 },
  ])
  if (read === undefined) return false
  const state = stateOf(read)
  const turn = state.status.turn === null ? undefined : await turnRow(node, stream, state.status.turn)
  const begin = { stream, address: state.address, epoch: claimed.epoch, turn }
  if (turn === undefined) {
    beginDrive(node, begin)
    return true
  }
  const deltas = (read.lists[stateQueries.length] ?? []).map((row) => JSON.parse(row.value) as DeltaRow)
  const newest = (read.lists[stateQueries.length + 1] ?? []).map((row) => JSON.parse(row.value) as MessageRow)
  const now = node.clock.now()
  const status = { ...state.status, state: "busy", busyWith: "turn", error: null, since: now } as const
  const changes = [
    ...newest.filter((row) => row.state === "streaming").map((row) => cutOff(row, deltas)),
    ...(paused ? [statusChange({ ...status, state: "error", busyWith: null, error: STORE_WAS_DOWN })] : []),
    statusChange(status),
  ]
  const settled = await node.writer.append({
    stream,
    changes: changes.map(rowChange),
    txid,
    at: now,
    epoch: claimed.epoch,
    active: true,
  })
  if (!settled.ok) return false
  node.log.info("turn resumed", { agent: state.address.agent, turn: turn.id })
  beginDrive(node, begin)
  return true
}

export function cutOff(message: MessageRow, deltas: readonly DeltaRow[]): NewChange {
  const seen = withDeltas(message, deltas)
  const row: MessageRow = { ...seen, state: "truncated", parts: seen.parts.map(settleTool) }
  return { collection: "messages", key: row.id, operation: "update", row }
}

function settleTool(part: Part): Part {
  return part.type === "tool" && part.state === "started" ? { ...part, state: "unknown" } : part
}

async function turnRow(node: Node, stream: StreamId, id: string): Promise<TurnRow | undefined> {
  const read = await node.store.read(stream, [{ collection: "turns", key: id }])
  const row = read?.lists[0]?.[0]
  return row === undefined ? undefined : (JSON.parse(row.value) as TurnRow)
}
