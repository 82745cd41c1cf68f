/**
 * Reads, decides, appends; and retries if another process decided first.
 *
 * Decisions of this process wait for each other (`decision-queue.ts`). Between processes, `expect` is the lock: the
 * store rejects a decision made on rows that have changed since, and it is made again on the current rows. The first
 * attempt uses the cache; a decision that would write nothing is made on rows that are read.
 */
import { Bug, Refusal, type StreamId, type TxId } from "@parlor/protocol"
import type { Append, Appended } from "../ports/store.ts"
import { head } from "../queue/queue.ts"
import { feedStream } from "./address.ts"
import type { LogAccess } from "./log-access.ts"
import {
  type ConversationState,
  FRONT,
  queueEndQueries,
  stateOf,
  stateQueries,
  wholeQueueQueries,
  withQueueEnd,
} from "./state.ts"
import { type Changes, type WriteOptions, writeDecision } from "./write.ts"

/** How often other processes may decide first. A process with much to write can do so for seconds. */
const DECIDE_TRIES = 300
const OWNED_TRIES = 50
/** After this many losses in a row it backs off for a random time. */
const CROWDED_TRIES = 3
const MAX_SPREAD_MS = 100

/** Without changes and without a lease there is nothing to write. */
export type Decision<T> = Changes & { readonly answer: T }

type Make<T> = (state: ConversationState) => Decision<T> | Promise<Decision<T>>

export type DecideOptions = {
  /** Most decisions need only the front of the queue. */
  readonly queue?: "front" | "whole"
  readonly txid: TxId
  readonly owner?: WriteOptions["owner"]
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

/** Another decision was made since these rows were read: what this one needs no longer exists. */
export class Outdated extends Error {
  constructor() {
    super("the conversation has changed since it was read")
    this.name = "Outdated"
  }
}

/** The owner of a conversation was replaced; the new owner continues its work. */
export class Fenced extends Error {
  constructor(message = "another node owns this conversation now") {
    super(message)
    this.name = "Fenced"
  }
}

export async function decide<T>(
  node: LogAccess,
  stream: StreamId,
  make: Make<T>,
  options: DecideOptions,
): Promise<Decided<T>> {
  const decideNow = () => decideInTurn(node, stream, make, options)
  // A command that would be rejected at once need not wait: while the store is down, the writer accepts only an owner's
  // writes.
  if (options.owner === undefined && node.writer.down) return decideNow()
  return node.decisions.run(stream, options.owner === undefined ? "others" : "owner", decideNow)
}

async function decideInTurn<T>(
  node: LogAccess,
  stream: StreamId,
  make: Make<T>,
  options: DecideOptions,
): Promise<Decided<T>> {
  const { txid, owner } = options
  for (let tries = 0; tries < DECIDE_TRIES; tries++) {
    const cached = tries === 0 ? node.cache.state(stream) : undefined
    const state = cached ?? (await readState(node, stream, options.queue === "whole"))
    const feed = await feedStream(node, state.address.person)
    // Nothing is read between a decision and its append, so that a decision based on the clock is written at that time.
    const decision = await attempt(make, state, { isCached: cached !== undefined })
    if (decision === undefined) continue
    const { answer } = decision
    if (isNothing(decision)) return { repeated: false, answer, appended: unchanged(state), state }
    const appended = await writeDecision(node, state, feed, decision, { txid, owner, once: options.once?.(answer) })
    if (appended.ok) return { repeated: false, answer, appended, state }
    if (appended.why === "repeated") return { ...appended, repeated: true }
    if (appended.why === "gone") throw new Gone()
    if (appended.why === "fenced") throw new Fenced()
    if (appended.why === "owned" && tries >= OWNED_TRIES) break
    if (appended.why === "owned") await pause(node, Math.min(5 * 2 ** tries, 250))
    else if (tries >= CROWDED_TRIES) await pause(node, node.random.next() * Math.min(2 ** tries, MAX_SPREAD_MS))
  }
  throw new Refusal(
    "conversation.contended",
    "Too many requests changed this conversation at the same moment. Try again.",
  )
}

/** Reads what decisions need. If the front is all paused messages, the whole queue is read to find the next one. */
export async function readState(node: LogAccess, stream: StreamId, whole = false): Promise<ConversationState> {
  const read = await node.store.log.read(stream, whole ? wholeQueueQueries : stateQueries)
  if (read === undefined) throw new Gone()
  const state = stateOf(read)
  if (whole || state.queue.length < FRONT) return state
  if (head(state.queue) === undefined) return readState(node, stream, true)
  const end = await node.store.log.read(stream, queueEndQueries)
  if (end === undefined) throw new Gone()
  return withQueueEnd(state, end)
}

/**
 * Undefined if the decision has to be made again on current rows. The cache may be out of date, and a decision that
 * writes nothing is not checked by the store.
 */
async function attempt<T>(
  make: Make<T>,
  state: ConversationState,
  { isCached }: { readonly isCached: boolean },
): Promise<Decision<T> | undefined> {
  try {
    const decision = await make(state)
    return isCached && isNothing(decision) ? undefined : decision
  } catch (error) {
    if (isCached || error instanceof Outdated) return undefined
    throw error
  }
}

function isNothing({ changes, lease }: Changes): boolean {
  return changes.length === 0 && lease === undefined
}

/** For a decision without an idempotency key: there is no earlier answer to return. */
export function expectFirst<T>(decided: Decided<T>): Extract<Decided<T>, { repeated: false }> {
  if (decided.repeated) throw new Bug("a decision without a key was answered as repeated")
  return decided
}

function unchanged({ stream }: ConversationState): Extract<Appended, { ok: true }> {
  return { ok: true, head: stream.head, control: stream.control, epoch: stream.epoch, feedHead: 0, skipped: true }
}

function pause(node: LogAccess, ms: number): Promise<void> {
  return new Promise((resolve) => void node.clock.after(ms, resolve))
}
