/**
 * The one place that appends to conversations.
 *
 * A decision is written with everything derived from it: the feed row, whether work is left, and the cache entry.
 * Writes of a running turn change only the cache.
 */
import type { FeedNews, NewChange, StreamId, TxId } from "@parlor/protocol"
import type { Append, Appended, Claim, RowChange } from "../ports/store.ts"
import type { Meter } from "../usage/meter.ts"
import { apply, feedChange, hasWork } from "./apply.ts"
import type { LogAccess } from "./log-access.ts"
import type { Owner } from "./owner.ts"
import { rowChange, rowUpdate } from "./row-change.ts"
import type { ConversationState } from "./state.ts"

export type Changes = {
  readonly changes: readonly NewChange[]
  readonly lease?: Append["lease"]
  /** News for people and programs outside. */
  readonly news?: FeedNews | undefined
}

export type WriteOptions = {
  readonly txid: TxId
  /** Writes as the owner: rejected if replaced. With `batch` it is kept while the store is down. */
  readonly owner?: { readonly epoch: number; readonly batch?: () => number; readonly meter?: Meter } | undefined
  readonly once?: NonNullable<Append["once"]> | undefined
}

/** `feed`: the person's feed, read before the decision was made, so that nothing is awaited in between. */
export async function writeDecision(
  node: LogAccess,
  state: ConversationState,
  feed: StreamId,
  { changes, lease, news }: Changes,
  { txid, owner, once }: WriteOptions,
): Promise<Appended> {
  const after = apply(state, changes)
  const told = feedChange(after, news)
  // Before it is durable: a reader that waits for the end of the turn leaves then.
  const isWatched = node.hub.isWatched(state.stream.id)
  const spent = owner?.meter?.take() ?? []
  const append: Append = {
    stream: state.stream.id,
    changes: rowChanges(changes, state),
    txid,
    at: node.clock.now(),
    expect: state.stream.control,
    active: hasWork(after),
    feed: { stream: feed, changes: [rowChange(told)] },
    ...(lease === undefined ? {} : { lease }),
    ...(owner === undefined ? {} : { epoch: owner.epoch }),
    ...(owner?.batch === undefined ? {} : { batch: owner.batch() }),
    ...(once === undefined ? {} : { once }),
    ...(spent.length > 0 ? { spent } : {}),
  }
  const appended = await node.writer.append(append, {
    keep: append.batch !== undefined,
    onDurable: node.cache.following(state, { after, changes, append }),
  })
  if (!appended.ok) owner?.meter?.giveBack(spent)
  else if (news !== undefined) {
    const { person } = state.address
    node.tell(person)
    node.announce({ person, row: told.row, news, isWatched })
  }
  return appended
}

/** Decisions read the status, so it is the one row that is known as it was before. */
function rowChanges(changes: readonly NewChange[], state: ConversationState): RowChange[] {
  let { status } = state
  return changes.map((change) => {
    if (change.collection !== "status") return rowChange(change)
    const before = status
    status = change.row
    return rowUpdate(change, before)
  })
}

/** Writes what a running turn says and does, as the owner. False if it was replaced. */
export async function writeAsOwner(node: LogAccess, owner: Owner, changes: readonly NewChange[]): Promise<boolean> {
  const state = node.cache.state(owner.stream)
  const spent = owner.meter.take()
  const append: Append = {
    stream: owner.stream,
    changes: changes.map(rowChange),
    txid: owner.txid,
    at: node.clock.now(),
    epoch: owner.epoch,
    batch: owner.batch(),
    ...(spent.length > 0 ? { spent } : {}),
  }
  const onDurable = state && node.cache.following(state, { after: apply(state, changes), changes, append })
  const appended = await node.writer.append(append, { keep: true, ...(onDurable === undefined ? {} : { onDurable }) })
  if (!appended.ok) owner.meter.giveBack(spent)
  return appended.ok
}

/** Usage is counted even if another owner continues the turn: this line of the ledger belongs to us alone. */
export async function writeSpent(
  node: LogAccess,
  { stream, txid, meter }: Pick<Owner, "stream" | "txid" | "meter">,
): Promise<void> {
  const spent = meter.take()
  if (spent.length === 0) return
  try {
    await node.writer.append({ stream, changes: [], txid, at: node.clock.now(), spent }, { keep: true })
  } catch {
    node.log.warn("model calls were not counted", { calls: spent.reduce((sum, { calls }) => sum + calls, 0) })
  }
}

/** The epoch of the claim, or undefined if another process holds the conversation or it was deleted. */
export async function writeClaim(
  node: LogAccess,
  stream: StreamId,
  options: { readonly force: boolean; readonly txid: TxId },
): Promise<number | undefined> {
  const { force, txid } = options
  const append = { stream, changes: [], txid, at: node.clock.now(), lease: claimBy(node, { force }) }
  const appended = await node.writer.append(append)
  return appended.ok ? appended.epoch : undefined
}

/** Releases the conversation as it is: the next process that looks takes it at once. */
export async function writeRelease(
  node: LogAccess,
  owner: { readonly stream: StreamId; readonly epoch: number; readonly txid: TxId },
): Promise<void> {
  const { stream, epoch, txid } = owner
  await node.writer.append({ stream, changes: [], txid, at: node.clock.now(), epoch, lease: { kind: "release" } })
}

export function claimBy(node: LogAccess, options: { readonly force?: boolean } = {}): Claim {
  const claim = { kind: "claim", owner: node.name, ttlMs: node.settings.leaseMs } as const
  return options.force === undefined ? claim : { force: options.force, ...claim }
}
