/**
 * Makes a branch (BRA-1 to BRA-3, BRA-5, BRA-6).
 *
 *   name ─▶ row in the parent's `branches` ─▶ the branch's own first rows, with where it hangs
 *
 * It takes pointers with it and no messages: the message it hangs on, and of each file the hash of its content. A row in
 * the parent whose branch was never made, because the process died in between, counts for nothing: `children.ts` looks
 * whether there is one. What the parent is doing now, its queue and its asks stay with the parent.
 */
import {
  type Address,
  assert,
  feedKey,
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
import { findOnLine, type OnLine, type Section } from "../log/line.ts"
import type { LogAccess } from "../log/log-access.ts"
import { newStatus } from "../log/state.ts"
import { beforeDimmed } from "../rollback/plan.ts"
import { excerpt, titleFrom } from "../text/excerpt.ts"
import { textOf } from "../text/text-of.ts"
import { forkFiles } from "./fork-files.ts"
import { listAt, settleList } from "./listed.ts"
import { nameFrom, numbered } from "./name.ts"

/** Names tried with a number before one is made up. */
const NUMBERED = 20

export type MakeBranch = {
  /** The last message that belongs to it; from nothing, when not said. */
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
      `There is a conversation ${feedKey({ ...address, branch: asked.name })}.`,
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
  throw new Refusal("conversation.contended", "No free name was found. Give it one.")
}

export type Place = { readonly agent: string; readonly branch: string }

/** What it hangs on, and what it begins with. */
type Fork = {
  /** Undefined for a new topic: it belongs to nobody. */
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
    return { ...nothing, parent: parent.id, origin }
  }
  const { message, origin, next } = await originAt(node, address, parent.id, from)
  const { changes, status } = await forkFiles(node, next, message.ord)
  return { parent: parent.id, origin, text: textOf(message.parts), changes, status }
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
    throw new Refusal("branch.unsettled", "This message is still being said. Branch from it when it is done.", "/from")
  const { section, seq } = hangsOn(found)
  const depth = (section.origin?.depth ?? 0) + 1
  if (depth > limits.branchDepth)
    throw new Refusal("branch.too-deep", `A branch of a branch may be ${limits.branchDepth} deep, and no deeper.`)
  const { id, ord } = message
  return { message, next, origin: { branch: address.branch, stream: section.stream, message: id, ord, seq, depth } }
}

/**
 * What a branch hangs on, and as of which event of that log: from a dimmed message, as of before it was dimmed.
 *
 * It is the stream that has the message. When a conversation below that has summed up what is above its own fork, it is
 * that conversation, so that what its model is told is what the branch's model is told; unless the message was
 * dimmed above, where no conversation below ever saw it.
 */
function hangsOn({ message, sections, stream }: OnLine): { readonly section: Section; readonly seq: number } {
  const places = sections.map((section) => {
    const asOf = section.asOf ?? stream.head
    const seq = beforeDimmed(message.ord, section.rollbacks, asOf)
    return { section, seq, isMoved: seq < asOf }
  })
  const [own, ...above] = places
  const isSummed = sections.at(-2)?.archives.some(({ toOrd }) => toOrd <= message.ord) ?? false
  const place = isSummed ? (above.findLast(({ isMoved }) => isMoved) ?? own) : places.at(-1)
  assert(place !== undefined, "a message is in some section of its line")
  return place
}

/** False when there is a conversation at that address, and this request did not make it. */
async function isMade(node: LogAccess & Agents, made: NewConversation): Promise<boolean> {
  const { appended } = await createConversation(node, made)
  if (appended.ok) return true
  if (appended.why !== "repeated") return false
  if (appended.hash === made.once?.hash) return true
  throw new Refusal("idempotency.reused", "This Idempotency-Key was used before with another body. Use a new key.")
}

/** Undefined when there is a conversation of that name. */
async function tryName(
  node: LogAccess & Agents,
  address: Address,
  asked: MakeBranch,
  fork: Fork,
  name: string,
): Promise<Place | undefined> {
  const place = { agent: address.agent, branch: name }
  const child = { ...address, branch: name }
  const known = await node.store.find({ kind: "conversation", ...child })
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
