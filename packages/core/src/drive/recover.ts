/**
 * Takes a conversation that has work and no owner: after a crash, after a pause, or when a message was queued while no
 * process was looking (TRN-7).
 *
 * A reply that was streaming is kept as far as it is in the log, marked truncated. The step's model call is repeated;
 * its first output replaces the old reply in the same row, so that no text is shown twice (TRN-18). A reply that was
 * complete continues with the tools that have not run; a tool that had started has an unknown outcome, and runs again
 * only if it is repeatable.
 */
import {
  Fault,
  type MessageRow,
  type NewChange,
  parseRows,
  Refusal,
  type StatusRow,
  type StreamId,
  type TurnRow,
  type TxId,
  withDeltas,
} from "@parlor/protocol"
import { decide, expectFirst, Fenced, Gone, readState } from "../log/decide.ts"
import { readTurn } from "../log/read-turn.ts"
import { type ConversationState, statusChange } from "../log/state.ts"
import { writeClaim } from "../log/write.ts"
import { settleTools } from "../model-call/settle-tools.ts"
import { reasonFields } from "../ports/log.ts"
import { textOf } from "../text/text-of.ts"
import type { StopAsked } from "../turn/stop-asked.ts"
import { offer } from "./drain.ts"
import { beginDrive, endAbandoned } from "./drive.ts"
import type { DriveAccess } from "./drive-access.ts"
import type { Next } from "./next.ts"

const STORE_WAS_DOWN = {
  code: "store.unavailable",
  detail: "The store could not be reached. It is back, and the reply continues.",
} as const

/** The queue changed: makes sure that a drive looks at it. A drive in a turn will, when the turn ends. */
export function wake(node: DriveAccess, stream: StreamId): void {
  const drive = node.drives.get(stream)
  if (drive) drive.poke()
  else if (node.draining.signal.aborted) offer(node, stream)
  else
    recover(node, stream).catch((error) => {
      // The next sweep finds it.
      if (error instanceof Fault || error instanceof Refusal)
        node.log.warn("could not take the conversation", reasonFields(error))
      else node.log.error("could not take the conversation", { reason: String(error) })
    })
}

/**
 * One at a time per conversation: a second claim by the same process would end what the first began.
 *
 * False if another process owns the conversation, if it was deleted, or if this process is draining. `paused`: the
 * store was down and is back, so the log has to show that the turn had paused for it (LOG-12).
 */
export function recover(
  node: DriveAccess,
  stream: StreamId,
  options: { readonly paused?: boolean } = {},
): Promise<boolean> {
  if (node.draining.signal.aborted) return Promise.resolve(false)
  const { recovering } = node
  const taking =
    recovering.get(stream) ??
    retriedBySweep(node, stream, () => take(node, stream, options.paused ?? false)).finally(() =>
      recovering.delete(stream),
    )
  recovering.set(stream, taking)
  return taking
}

/**
 * Ends a turn that no drive of this process runs, whichever process runs it. After the claim nobody else can write to
 * it, so the log is what everyone has seen. Undefined if that turn no longer runs.
 */
export async function endElsewhere(
  node: DriveAccess,
  stream: StreamId,
  turn: string,
  stop: StopAsked,
): Promise<Next | undefined> {
  return retriedBySweep(node, stream, () => endClaimed(node, stream, turn, stop))
}

async function endClaimed(
  node: DriveAccess,
  stream: StreamId,
  turn: string,
  stop: StopAsked,
): Promise<Next | undefined> {
  const found = await claim(node, stream, { force: true })
  if (found === undefined) return undefined
  const begin = { stream, address: found.state.address, epoch: found.epoch }
  if (found.turn?.id !== turn) {
    await continueTurn(node, stream, found, false)
    return undefined
  }
  const last = found.streaming ? [cutOff(found.streaming)] : []
  const end = { state: "stopped", onQueue: stop.onQueue, next: stop.next } as const
  const said = found.streaming ? textOf(found.streaming.parts) : ""
  return endAbandoned(node, begin, { turn: found.turn, end, last, said, steerable: false })
}

/**
 * If the work fails after the claim, the next sweep retries it; otherwise the lease would keep everyone out for longer.
 */
async function retriedBySweep<T>(node: DriveAccess, stream: StreamId, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Fault) node.paused.add(stream)
    throw error
  }
}

async function take(node: DriveAccess, stream: StreamId, paused: boolean): Promise<boolean> {
  if (node.drives.has(stream)) return true
  const found = await claim(node, stream, { force: false })
  return found !== undefined && continueTurn(node, stream, found, paused)
}

/** Owns it from here on and does the remaining work. False if it was taken in the meantime. */
async function continueTurn(node: DriveAccess, stream: StreamId, found: Found, paused: boolean): Promise<boolean> {
  const begin = { stream, address: found.state.address, epoch: found.epoch }
  if (found.turn === undefined) {
    const isRollingBack = found.state.status.busyWith === "rollback"
    beginDrive(node, { ...begin, first: { kind: isRollingBack ? "rollback" : "queue" } })
    return true
  }
  const settled = await settle(node, stream, found.epoch, paused)
  if (settled === undefined) return false
  node.log.info("turn resumed", { agent: begin.address.agent, turn: found.turn.id })
  beginDrive(node, { ...begin, first: running(settled) })
  return true
}

/** Shows that the turn runs again. Undefined if the conversation was taken or deleted in the meantime. */
async function settle(node: DriveAccess, stream: StreamId, epoch: number, paused: boolean): Promise<Found | undefined> {
  try {
    const decided = await decide<Found>(
      node,
      stream,
      async (state) => {
        const found = await readFound(node, state, epoch)
        return { answer: found, changes: settling(found, shownAs(found, node.clock.now()), paused) }
      },
      { txid: node.ids.next("rcv") as TxId, owner: { epoch } },
    )
    return expectFirst(decided).answer
  } catch (error) {
    if (error instanceof Fenced || error instanceof Gone) return undefined
    throw error
  }
}

type Found = {
  readonly state: ConversationState
  readonly epoch: number
  readonly turn: TurnRow | undefined
  /** The message that was streaming, with everything the log has of it. */
  readonly streaming: MessageRow | undefined
  /** The reply of the step that will be repeated. */
  readonly cut: MessageRow | undefined
}

async function claim(
  node: DriveAccess,
  stream: StreamId,
  options: { readonly force: boolean },
): Promise<Found | undefined> {
  const epoch = await writeClaim(node, stream, { ...options, txid: node.ids.next("rcv") as TxId })
  if (epoch === undefined) return undefined
  try {
    return await readFound(node, await readState(node, stream), epoch)
  } catch (error) {
    if (error instanceof Gone) return undefined
    throw error
  }
}

/** What the running turn left in the log: after a claim only its owner adds to it. */
async function readFound(node: DriveAccess, state: ConversationState, epoch: number): Promise<Found> {
  const { id } = state.stream
  const read = await node.store.log.read(id, [{ collection: "deltas" }, { collection: "messages", newest: 2 }])
  if (read === undefined) throw new Gone()
  const [deltas, newest] = read.lists
  const said = parseRows("deltas", deltas)
  const messages = parseRows("messages", newest).sort((a, b) => b.ord - a.ord)
  const found = messages.find((row) => row.state === "streaming")
  const streaming = found && withDeltas(found, said)
  const turn = state.status.turn === null ? undefined : await readTurn(node.store, id, state.status.turn)
  return { state, epoch, turn, streaming, cut: streaming ? unlessTools(streaming) : cutBefore(messages[0], turn) }
}

/** The turn was resumed before, and interrupted again before it replied. */
function cutBefore(last: MessageRow | undefined, turn: TurnRow | undefined): MessageRow | undefined {
  return last?.state === "truncated" && last.role === "agent" && last.turn === turn?.id ? unlessTools(last) : undefined
}

function unlessTools(message: MessageRow): MessageRow | undefined {
  return message.parts.some((part) => part.type === "tool") ? undefined : message
}

/** A complete model call left its tool calls in the log; those that have not run yet are run. */
function running(found: Found): Next {
  const { turn, cut } = found
  if (turn === undefined) return { kind: "queue" }
  return { kind: "turn", turn: { ...turn, state: "running" }, resume: resumable(found), cut, recovered: true }
}

function resumable(found: Found): MessageRow | undefined {
  return found.cut === undefined ? found.streaming : undefined
}

function shownAs({ state }: Found, now: number): StatusRow {
  const busy = state.asks.length > 0 ? "waiting" : "busy"
  const clear = { busyWith: "turn", error: null, attempt: null, retryAt: null } as const
  return { ...state.status, ...clear, state: busy, since: now }
}

function settling(found: Found, shown: StatusRow, paused: boolean): readonly NewChange[] {
  const cut = found.streaming && resumable(found) === undefined ? [cutOff(found.streaming)] : []
  const said = paused ? [statusChange({ ...shown, state: "error", busyWith: null, error: STORE_WAS_DOWN })] : []
  return [...cut, ...said, ...turnShown(found, shown), statusChange(shown)]
}

function turnShown({ turn }: Found, shown: StatusRow): readonly NewChange[] {
  const state = shown.state === "waiting" ? "waiting" : "running"
  if (turn === undefined || turn.state === state) return []
  return [{ collection: "turns", key: turn.id, operation: "update", row: { ...turn, state } }]
}

function cutOff(message: MessageRow): NewChange {
  const row: MessageRow = { ...message, state: "truncated", parts: settleTools(message.parts) }
  return { collection: "messages", key: row.id, operation: "update", row }
}
