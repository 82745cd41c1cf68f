/**
 * Creates a branch (BRA-1 to BRA-3, BRA-5, BRA-6).
 *
 *   name ─▶ row in the parent's `branches` ─▶ the branch's own first rows, with its origin
 *
 * A branch starts with references, not copies: the message it branches from, and the content hash of each file. If the
 * process dies before the branch is created, the row in the parent is ignored: `children.ts` checks that the branch
 * exists. The parent's current activity, queue and asks stay with the parent.
 */
import {
  type Address,
  assert,
  feedKey,
  isArchiveDimmed,
  isInForce,
  limits,
  MAIN_BRANCH,
  type NewChange,
  type Origin,
  Refusal,
  type StatusRow,
  type StreamId,
  type TxId,
} from "@parlor/protocol"
import type { Agents } from "../agent/agent-of.ts"
import { conversationFor, createConversation, type NewConversation } from "../conversation/create.ts"
import { conversationAt } from "../log/address.ts"
import { readState } from "../log/decide.ts"
import { findOnLine, type OnLine, type Section } from "../log/line.ts"
import type { LogAccess } from "../log/log-access.ts"
import { newStatus } from "../log/state.ts"
import { checkFiles } from "../quota/quota.ts"
import { beforeDimmed } from "../rollback/plan.ts"
import { excerpt, titleFrom } from "../text/excerpt.ts"
import { textOf } from "../text/text-of.ts"
import { forkFiles } from "./fork-files.ts"
import { listAt, settleList } from "./listed.ts"
import { nameFrom, numbered } from "./name.ts"

/** Numbered names to try before generating a random one. */
const NUMBERED = 20

export type MakeBranch = {
  /** The last message that belongs to it; if omitted, the branch starts empty. */
  readonly from: string | undefined
  readonly name: string | undefined
  readonly ephemeral: boolean
  readonly txid: TxId
  /** The caller's idempotency key and a digest of what it covers. */
  readonly key?: { readonly key: string; readonly hash: string }
}

export async function makeBranch(node: LogAccess & Agents, address: Address, asked: MakeBranch): Promise<Place> {
  const fork = await forkOf(node, address, asked)
  if (asked.name !== undefined) {
    const made = await tryName(node, address, asked, fork, asked.name)
    if (made !== undefined) return made
    throw new Refusal(
      "branch.taken",
      `There is already a conversation named ${feedKey({ ...address, branch: asked.name })}.`,
      "/name",
    )
  }
  const base = nameFrom(fork.text, asked.ephemeral ? "aside" : asked.from === undefined ? "topic" : "branch")
  for (let count = 1; count <= NUMBERED; count++) {
    const made = await tryName(node, address, asked, fork, numbered(base, count))
    if (made !== undefined) return made
  }
  const made = await tryName(node, address, asked, fork, `${base}-${node.ids.next("b").slice(-8)}`)
  if (made !== undefined) return made
  throw new Refusal("conversation.contended", "No free name was found. Provide a name.")
}

export type Place = { readonly agent: string; readonly branch: string }

/** What it branches from, and its first rows. */
type Fork = {
  /** Undefined for a new conversation: it has no parent. */
  readonly parent: StreamId | undefined
  readonly origin: Origin | null
  readonly text: string
  readonly changes: readonly NewChange[]
  readonly status: Partial<StatusRow>
}

async function forkOf(
  node: LogAccess & Agents,
  address: Address,
  { from, ephemeral, txid }: MakeBranch,
): Promise<Fork> {
  const nothing = { text: "", changes: [], status: {} }
  if (from === undefined && !ephemeral) {
    await conversationAt(node, address)
    return { ...nothing, parent: undefined, origin: null }
  }
  const parent = await conversationFor(node, address, txid)
  if (from === undefined) {
    const origin = { branch: address.branch, stream: parent.id, message: null, ord: 0, seq: parent.head, depth: 1 }
    return { ...nothing, parent: parent.id, origin, status: await inherited(node, parent.id) }
  }
  const { message, origin, next } = await originAt(node, address, parent.id, from)
  const { changes, status } = await forkFiles(node, next, message.ord)
  await checkFiles(node, address.person, changes.length)
  const settings = await inherited(node, parent.id)
  return { parent: parent.id, origin, text: textOf(message.parts), changes, status: { ...status, ...settings } }
}

/** A branch continues with the model of its parent (MOD-3). */
async function inherited(node: LogAccess, parent: StreamId): Promise<Pick<StatusRow, "settings">> {
  const { settings } = (await readState(node, parent)).status
  return { settings }
}

async function originAt(
  node: LogAccess & Agents,
  address: Address,
  parent: StreamId,
  from: string,
): Promise<Pick<OnLine, "message" | "next"> & { readonly origin: Origin }> {
  const found = await findOnLine(node.store, parent, from)
  if (found === undefined) throw new Refusal("message.unknown", `There is no message ${from} here.`, "/from")
  const { message, next } = found
  if (message.state === "streaming")
    throw new Refusal(
      "branch.unsettled",
      "This message is still streaming. Branch from it when it is complete.",
      "/from",
    )
  const { section, seq } = forkPoint(found)
  const depth = (section.origin?.depth ?? 0) + 1
  if (depth > limits.branchDepth)
    throw new Refusal("branch.too-deep", `Branches can be nested at most ${limits.branchDepth} levels deep.`)
  const { id, ord } = message
  return { message, next, origin: { branch: address.branch, stream: section.stream, message: id, ord, seq, depth } }
}

/**
 * The section a branch starts from, and the event of that log it sees last: for a dimmed message, the one before it was
 * dimmed.
 *
 * Usually this is the stream that has the message. If a conversation below it has compacted messages above its own
 * fork, it is that conversation, so that the branch's model gets the same summary (BRA-7). Conversations below one that
 * dimmed the message never showed it, so they do not count.
 */
function forkPoint({ message, sections, stream }: OnLine): { readonly section: Section; readonly seq: number } {
  const places = sections.map((section) => {
    const asOf = section.asOf ?? stream.head
    const seq = beforeDimmed(message.ord, section.rollbacks, asOf)
    return { section, seq, isMoved: seq < asOf }
  })
  const shown = places.slice(
    Math.max(
      0,
      places.findLastIndex(({ isMoved }) => isMoved),
    ),
  )
  // As of that event, not as of now: a summary that was dimmed together with the message counts.
  const isSummed = ({ section, seq }: (typeof places)[number]) =>
    section.ownArchives.some((archive) => isInForce(archive, seq) && !isArchiveDimmed(archive, [], message.ord))
  const place = shown.find(isSummed) ?? shown.at(-1)
  assert(place !== undefined, "a message is in some section of its line")
  return place
}

/** False if there is a conversation at that address that this request did not create. */
async function isMade(node: LogAccess & Agents, made: NewConversation): Promise<boolean> {
  const { appended } = await createConversation(node, made)
  if (appended.ok) return true
  if (appended.why !== "repeated") return false
  if (appended.hash === made.once?.hash) return true
  throw new Refusal("idempotency.reused", "This Idempotency-Key was used before with another body. Use a new key.")
}

/** Undefined if that name is taken. */
async function tryName(
  node: LogAccess & Agents,
  address: Address,
  asked: MakeBranch,
  fork: Fork,
  name: string,
): Promise<Place | undefined> {
  const place = { agent: address.agent, branch: name }
  const child = { ...address, branch: name }
  const known = await node.store.log.find({ kind: "conversation", ...child })
  const isThere = name === MAIN_BRANCH || (known !== undefined && known.head > 0)
  if (isThere && asked.key === undefined) return undefined
  if (!isThere && fork.parent !== undefined) await listAt(node, fork.parent, asked, name)
  const title = asked.name ?? titleFrom(fork.text)
  const now = node.clock.now()
  const made: NewConversation = {
    address: child,
    status: {
      ...newStatus(now),
      title,
      titledBy: asked.name === undefined ? "words" : "person",
      preview: excerpt(fork.text, limits.previewLength),
      ephemeral: asked.ephemeral,
      origin: fork.origin,
      ...fork.status,
    },
    changes: fork.changes,
    txid: asked.txid,
    ...(asked.key === undefined ? {} : { once: { ...asked.key, answer: JSON.stringify(place) } }),
  }
  if (await isMade(node, made)) return place
  if (!isThere && fork.parent !== undefined) await settleList(node, fork.parent, child, asked.txid)
  return undefined
}
