/**
 * Deletes a conversation (ADR-7, SEC-11). Its branches are deleted with it, so the request has to name them (BRA-6).
 *
 * Branches are deleted first, the deepest before their parents: whenever the process dies, no branch is left without
 * its parent.
 */
import {
  type Address,
  type FeedRow,
  feedKey,
  limits,
  parseRow,
  Refusal,
  type StreamId,
  type TxId,
} from "@parlor/protocol"
import { childrenOf } from "../branch/children.ts"
import { unlist } from "../branch/listed.ts"
import { feedStream } from "../log/address.ts"
import { feedChange } from "../log/apply.ts"
import { Fenced } from "../log/decide.ts"
import { rowChange } from "../log/row-change.ts"
import { newState, newStatus } from "../log/state.ts"
import type { Stream } from "../ports/store.ts"
import { clearFolder } from "../workspace/disk.ts"
import type { CommandAccess } from "./command-access.ts"

/** `branches`: all its descendants, at any depth. Returns the streams that were deleted. */
export async function remove(
  node: CommandAccess,
  address: Address,
  options: { readonly branches: readonly string[]; readonly txid: TxId },
): Promise<readonly StreamId[]> {
  return removeAll(node, await namedTree(node, address, options.branches), options.txid)
}

/**
 * The conversation with all its descendants, deepest first. Refused unless each of them is named or is about to be
 * deleted anyway.
 */
export async function namedTree(
  node: CommandAccess,
  address: Address,
  branches: readonly string[],
): Promise<readonly Address[]> {
  const found = await descendants(node, address, await find(node, address))
  const named = new Set(branches)
  const unnamed = found.filter(({ address: { branch }, feed }) => feed.deleteAt === null && !named.has(branch))
  if (unnamed.length > 0)
    throw hasBranches(
      address,
      unnamed.map((child) => child.address),
    )
  return [...found.map((child) => child.address).reverse(), address]
}

/** Deletes them in this order. `act`: what the audit says. */
export async function removeAll(
  node: CommandAccess,
  addresses: readonly Address[],
  txid: TxId,
  act = "conversation.deleted",
): Promise<readonly StreamId[]> {
  const gone: StreamId[] = []
  for (const address of addresses) gone.push(await removeOne(node, address, { txid, act }))
  return gone
}

/**
 * Ends a running turn, then deletes everything the conversation had; its rows in the feed's log are blanked (SEC-11).
 */
async function removeOne(
  node: CommandAccess,
  address: Address,
  { txid, act }: { readonly txid: TxId; readonly act: string },
): Promise<StreamId> {
  const stream = await find(node, address)
  const parent = await parentOf(node, address, stream.id)
  node.drives.get(stream.id)?.current?.abort.abort(new Fenced())
  await node.agents.get(address.agent)?.harness?.end(String(stream.id))
  await clearFolder(node, stream.id)
  const blank = feedChange(newState(stream, address, newStatus(node.clock.now())))
  const gone = { ...blank, operation: "delete" } as const
  const at = node.clock.now()
  const feed = { stream: await feedStream(node, address.person), changes: [rowChange(gone)], txid, at }
  const appended = await node.store.log.remove(stream.id, {
    feed,
    audit: { at, person: address.person, act, subject: feedKey(address) },
  })
  node.cache.remove(stream.id, address)
  if (appended?.ok)
    node.hub.publish(feed.stream, [{ ...gone, seq: appended.head, value: JSON.stringify(gone.row), txid, at }])
  // Again: a tool of the stopped turn may have been about to write.
  await clearFolder(node, stream.id)
  if (parent !== undefined) await unlist(node, parent.id, address.branch, txid)
  return stream.id
}

type Descendant = { readonly address: Address; readonly feed: FeedRow }

/** From the nearest to the deepest. */
async function descendants(node: CommandAccess, address: Address, stream: Stream): Promise<readonly Descendant[]> {
  const found: Descendant[] = []
  const open: { readonly address: Address; readonly stream: StreamId }[] = [{ address, stream: stream.id }]
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    for (const { row, feed } of await childrenOf(node, next.address, next.stream)) {
      const child = { ...address, branch: row.branch }
      const known = await node.store.log.find({ kind: "conversation", ...child })
      if (known === undefined || found.some((one) => one.address.branch === row.branch)) continue
      found.push({ address: child, feed })
      open.push({ address: child, stream: known.id })
      if (found.length > limits.branches) throw tooMany(address)
    }
  }
  return found
}

async function parentOf(node: CommandAccess, address: Address, stream: StreamId): Promise<Stream | undefined> {
  const row = (await node.store.log.read(stream, [{ collection: "status" }]))?.lists[0]?.[0]
  const origin = row && parseRow("status", row.value).origin
  return origin ? node.store.log.find({ kind: "conversation", ...address, branch: origin.branch }) : undefined
}

async function find(node: CommandAccess, address: Address): Promise<Stream> {
  const stream = await node.store.log.find({ kind: "conversation", ...address })
  if (stream !== undefined) return stream
  throw new Refusal("conversation.unknown", `There is no conversation ${feedKey(address)}.`)
}

/** Maximum number of branches named in the error. */
const NAMED = 20

function hasBranches(address: Address, branches: readonly Address[]): Refusal {
  const names = branches.slice(0, NAMED).map(({ branch }) => JSON.stringify(branch))
  const others = branches.length > NAMED ? ` and ${branches.length - NAMED} others` : ""
  return new Refusal(
    "conversation.has-branches",
    `${feedKey(address)} has branches that would be deleted with it: ${names.join(", ")}${others}. Pass their names to confirm.`,
    "branches",
  )
}

function tooMany(address: Address): Refusal {
  return new Refusal(
    "conversation.has-branches",
    `${feedKey(address)} has more than ${limits.branches} branches. Delete some of them first.`,
  )
}
