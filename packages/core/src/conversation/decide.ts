/**
 * Read, decide, append; and again when someone decided first.
 *
 * `expect` is the whole of our locking: a decision made on rows that have changed since is refused by the store and made
 * anew on the rows as they are now. So the first try goes by what this process last wrote, where it knows that; what
 * would end there without a write is decided on rows that are read.
 */
import { Bug, type FeedNews, type NewChange, Refusal, type StatusRow, type StreamId, type TxId } from "@parlor/protocol"
import { rowChange } from "../log/row-change.ts"
import type { Node } from "../node.ts"
import type { Append, Appended } from "../ports/store.ts"
import { head } from "../queue/queue.ts"
import type { Meter } from "../usage/meter.ts"
import { feedStream } from "./address.ts"
import {
  type ConversationState,
  FRONT,
  feedChange,
  queueEndQueries,
  stateOf,
  stateQueries,
  wholeStateQueries,
  withQueueEnd,
} from "./state.ts"

const DECIDE_TRIES = 50
/** Of many who decide at the same moment one gets through at a time: whoever lost so often steps back, each for as long as chance has it. */
const CROWDED_TRIES = 3
const MAX_SPREAD_MS = 100

export type Decision<T> = {
  readonly answer: T
  readonly changes: readonly NewChange[]
  /** After the changes, for the feed. */
  readonly status: StatusRow
  readonly queued: number
  /** Asks still open after the changes; as before when not said. */
  readonly asks?: number
  /** Whether there is something left to do, for the sweeper. */
  readonly active: boolean
  readonly lease?: Append["lease"]
  /** What somebody outside may want to be told of it. */
  readonly news?: FeedNews | undefined
  /** There is nothing to write. */
  readonly skip?: boolean
}

type Make<T> = (state: ConversationState) => Decision<T> | Promise<Decision<T>>

export type DecideOptions = {
  /** Most decisions need only the front of the queue. */
  readonly queue?: "front" | "whole"
  readonly txid: TxId
  /** Writes as the owner: refused when replaced, kept when the store is down. */
  readonly owner?: { readonly epoch: number; readonly batch: () => number; readonly meter: Meter }
  readonly once?: (answer: unknown) => NonNullable<Append["once"]>
}

export type Decided<T> =
  | {
      readonly repeated: false
      readonly answer: T
      readonly appended: Extract<Appended, { ok: true }>
      readonly state: ConversationState
    }
  | { readonly repeated: true; readonly hash: string; readonly answer: string; readonly seq: number }

/** The conversation was deleted. */
export class Gone extends Refusal {
  constructor() {
    super("conversation.unknown", "The conversation was deleted.")
  }
}

/** The owner of a conversation was replaced: whatever it was doing is someone else's now. */
export class Fenced extends Error {
  constructor() {
    super("another node owns this conversation now")
    this.name = "Fenced"
  }
}

export async function decide<T>(
  node: Node,
  stream: StreamId,
  make: Make<T>,
  options: DecideOptions,
): Promise<Decided<T>> {
  for (let tries = 0; tries < DECIDE_TRIES; tries++) {
    const known = tries === 0 ? node.known.state(stream) : undefined
    const state = known ?? (await readState(node, stream, options.queue === "whole"))
    const feed = await feedStream(node, state.address.person)
    // Nothing is read between a decision and its append: what was decided by the clock is written at that time.
    const decision = known === undefined ? await make(state) : await tried(make, known)
    if (decision === undefined) continue
    if (decision.skip) return { repeated: false, answer: decision.answer, appended: unchanged(state), state }
    const spent = options.owner?.meter.take() ?? []
    const append: Append = {
      stream,
      changes: decision.changes.map(rowChange),
      txid: options.txid,
      at: node.clock.now(),
      expect: state.stream.control,
      active: decision.active,
      feed: {
        stream: feed,
        changes: [rowChange(feedChange(state.address, decision.status, countsOf(state, decision)))],
      },
      ...(decision.lease === undefined ? {} : { lease: decision.lease }),
      ...(options.owner === undefined ? {} : { epoch: options.owner.epoch, batch: options.owner.batch() }),
      ...(options.once === undefined ? {} : { once: options.once(decision.answer) }),
      ...(spent.length > 0 ? { spent } : {}),
    }
    const history = known && node.known.history(stream)
    const { changes } = decision
    const appended = await node.writer.append(append, {
      keep: options.owner !== undefined,
      onDurable: (appended) => node.known.keep({ state, changes, append, appended }, history),
    })
    if (appended.ok) {
      if (decision.news !== undefined) node.tell(state.address.person)
      return { repeated: false, answer: decision.answer, appended, state }
    }
    options.owner?.meter.giveBack(spent)
    if (appended.why === "repeated") return { ...appended, repeated: true }
    if (appended.why === "gone") throw new Gone()
    if (appended.why === "fenced") throw new Fenced()
    if (appended.why === "owned") await pause(node, Math.min(5 * 2 ** tries, 250))
    else if (tries >= CROWDED_TRIES) await pause(node, node.random.next() * Math.min(2 ** tries, MAX_SPREAD_MS))
  }
  throw new Refusal(
    "conversation.contended",
    "Too many others changed this conversation at the same moment. Try again.",
  )
}

/** Reads what decisions look at. A front of paused messages hides who is next, so then the whole queue is read. */
export async function readState(node: Node, stream: StreamId, whole = false): Promise<ConversationState> {
  const read = await node.store.read(stream, whole ? wholeStateQueries : stateQueries)
  if (read === undefined) throw new Gone()
  const state = stateOf(read)
  if (whole || state.queue.length < FRONT) return state
  if (head(state.queue) === undefined) return readState(node, stream, true)
  const end = await node.store.read(stream, queueEndQueries)
  if (end === undefined) throw new Gone()
  return withQueueEnd(state, end)
}

/** Undefined when nothing would be written: what is only known may be out of date, and nobody would refuse it. */
async function tried<T>(make: Make<T>, known: ConversationState): Promise<Decision<T> | undefined> {
  try {
    const decision = await make(known)
    return decision.skip ? undefined : decision
  } catch {
    return undefined
  }
}

export function neverRepeated<T>(decided: Decided<T>): Extract<Decided<T>, { repeated: false }> {
  if (decided.repeated) throw new Bug("a decision without a key was answered as repeated")
  return decided
}

function countsOf(state: ConversationState, { queued, asks = state.asks.length, news }: Decision<unknown>) {
  return { queued, asks, news }
}

function unchanged({ stream }: ConversationState): Extract<Appended, { ok: true }> {
  return { ok: true, head: stream.head, control: stream.control, epoch: stream.epoch, feedHead: 0, skipped: true }
}

function pause(node: Node, ms: number): Promise<void> {
  return new Promise((resolve) => void node.clock.after(ms, resolve))
}
