/** Shares a conversation, and stops sharing it (SHR-1). */
import {
  type Address,
  limits,
  parseRow,
  Refusal,
  type SharedView,
  type ShareView,
  type StreamId,
  type TxId,
} from "@parlor/protocol"
import type { Agents } from "../agent/agent-of.ts"
import { conversationAt, feedStream, forgetFeed } from "../log/address.ts"
import { decide } from "../log/decide.ts"
import { readLine } from "../log/line.ts"
import type { LogAccess } from "../log/log-access.ts"
import { rowChange } from "../log/row-change.ts"
import { statusChange } from "../log/state.ts"
import { reasonFields } from "../ports/log.ts"
import type { ShareRecord } from "../ports/shares.ts"
import { isActive, statusOf } from "./open-share.ts"
import type { Shows } from "./shown.ts"

const BOUNDS = { most: limits.shares, ended: limits.endedShares }
const LINK_LASTS_MS = 30 * 24 * 60 * 60_000
const PAGE = 50

export type NewShare = {
  readonly id: string
  readonly mode: ShareView["mode"]
  /** Exactly one of these. */
  readonly viewer: string | null
  readonly hash: string | null
  readonly expiresAt: number | null | undefined
  readonly shows: { readonly [S in keyof Shows]?: boolean | undefined }
}

export async function makeShare(
  node: LogAccess & Agents,
  address: Address,
  asked: NewShare,
  txid: TxId,
): Promise<ShareView> {
  const { agent, branch, person } = address
  const { id, viewer, hash, shows } = asked
  const stream = await conversationAt(node, address)
  const now = node.clock.now()
  if (viewer === person)
    throw new Refusal("share.viewer", "This is your own conversation. Name another person.", "/viewer")
  const known = (await node.store.shares.of(person)).some(
    (one) => viewer !== null && one.viewer === viewer && one.stream === stream.id && isActive(one, now),
  )
  if (known) throw new Refusal("share.taken", `${viewer} can already see this conversation.`, "/viewer")
  const share: ShareRecord = {
    id,
    person,
    stream: stream.id,
    agent,
    branch,
    viewer,
    hash,
    upTo: asked.mode === "live" ? null : await endOf(node, stream.id),
    // A person wants to know who shares with them; a link may end up with anybody.
    shows: { name: shows.name ?? viewer !== null, details: shows.details ?? false, files: shows.files ?? false },
    createdAt: now,
    expiresAt: asked.expiresAt === undefined ? (viewer === null ? now + LINK_LASTS_MS : null) : asked.expiresAt,
    revokedAt: null,
  }
  if (share.expiresAt !== null && share.expiresAt <= now)
    throw new Refusal("request.invalid", "The expiry is in the past.", "/expiresAt")
  const added = await node.store.shares.add(share, BOUNDS, { at: now, person, act: "share.made", subject: id })
  if (added === "full")
    throw new Refusal("share.full", `You can share at most ${limits.shares} times. Stop sharing something first.`)
  if (added === "gone") throw new Refusal("conversation.unknown", "The conversation was deleted.")
  if (added === "no-viewer")
    throw new Refusal("share.viewer", `There is nobody called ${JSON.stringify(viewer)} on this server.`, "/viewer")
  await countShares(node, share, txid)
  await tellViewer(node, share, txid)
  return viewOf(share)
}

/** Newest first. */
export async function listShares(
  node: LogAccess,
  person: string,
  of: { readonly agent?: string | undefined; readonly branch?: string | undefined },
): Promise<readonly ShareView[]> {
  const { agent, branch } = of
  return (await node.store.shares.of(person))
    .filter((one) => (agent === undefined || one.agent === agent) && (branch === undefined || one.branch === branch))
    .map(viewOf)
}

export async function revokeShare(node: LogAccess, person: string, id: string, txid: TxId): Promise<void> {
  const audit = { at: node.clock.now(), person, act: "share.revoked", subject: id }
  const share = await node.store.shares.revoke(person, id, audit)
  if (share === undefined) throw new Refusal("share.unknown", `You share nothing with the id ${id}.`)
  await countShares(node, share, txid)
  await tellViewer(node, share, txid)
}

/** What others share with this person, newest first. */
export async function listShared(node: LogAccess, person: string): Promise<readonly SharedView[]> {
  const found: SharedView[] = []
  const page = { now: node.clock.now(), limit: limits.listShared }
  for (const share of await node.store.shares.sharedWith(person, page)) {
    const status = await statusOf(node, share)
    if (status !== undefined) found.push(sharedView(share, status))
  }
  return found
}

export function sharedView(share: ShareRecord, status: { readonly title: string }): SharedView {
  const { id, agent, person, upTo, shows, createdAt, expiresAt } = share
  return {
    id,
    agent,
    title: upTo?.title ?? status.title,
    mode: upTo === null ? "live" : "snapshot",
    sharedBy: shows.name ? person : null,
    createdAt,
    expiresAt,
  }
}

/** The change of the status tells every server that follows the conversation to look again (SHR-6). */
async function countShares(node: LogAccess, { person, stream }: ShareRecord, txid: TxId): Promise<void> {
  const now = node.clock.now()
  const own = (await node.store.shares.of(person)).filter((one) => one.stream === stream && isActive(one, now))
  await decide(
    node,
    stream,
    (state) => ({ answer: undefined, changes: [statusChange({ ...state.status, shares: own.length })] }),
    { txid },
  )
}

/** The viewer's pages read their list again (SHR-14). If this is lost, they do so when the person returns to them. */
async function tellViewer(node: LogAccess, { viewer }: ShareRecord, txid: TxId): Promise<void> {
  if (viewer === null) return
  const at = node.clock.now()
  const change = rowChange({ collection: "shared", key: "shared", operation: "update", row: { sharedAt: at } })
  try {
    const told = await node.writer.append({ stream: await feedStream(node, viewer), changes: [change], txid, at })
    if (!told.ok && told.why === "gone") forgetFeed(node, viewer)
  } catch (error) {
    node.log.warn("a viewer could not be told about a share", reasonFields(error))
  }
}

/** The last visible message that is complete: what a running turn still writes is not part of a snapshot. */
async function endOf(node: LogAccess, stream: StreamId): Promise<ShareRecord["upTo"]> {
  const also = [{ collection: "status" }] as const
  let running: string | null = null
  let read: { readonly seq: number; readonly title: string } | undefined
  for await (const page of readLine(node.store, stream, { page: PAGE, visible: true, also })) {
    const [row] = page.read?.lists[0] ?? []
    if (page.read !== undefined) {
      const status = row && parseRow("status", row.value)
      running = status?.turn ?? null
      read = { seq: page.read.stream.head, title: status?.title ?? "" }
    }
    for (const { value, ord } of page.rows) {
      const { role, turn, state } = parseRow("messages", value)
      const isRunning = state === "streaming" || (role === "agent" && turn !== null && turn === running)
      if (!isRunning && ord !== null && read !== undefined) return { ord, ...read }
    }
  }
  throw new Refusal("share.empty", "There are no messages to share yet. Send one first, or share it live.")
}

function viewOf(share: ShareRecord): ShareView {
  const { id, agent, branch, viewer, shows, createdAt, expiresAt, revokedAt, upTo } = share
  const mode = upTo === null ? "live" : "snapshot"
  return { id, agent, branch, mode, viewer, shows, createdAt, expiresAt, revokedAt }
}
