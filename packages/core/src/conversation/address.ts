/** From who talks to whom to the stream that holds it. */
import { type Address, feedKey, MAIN_BRANCH, Refusal, type StreamId, type TxId } from "@parlor/protocol"
import type { Agent } from "../agent/agent.ts"
import { lentCommands } from "../agent/outside.ts"
import { rowChange } from "../log/row-change.ts"
import type { Node } from "../node.ts"
import type { Stream } from "../ports/store.ts"
import { feedChange, newState, statusChange } from "./state.ts"

const FEED_CACHE = 10_000
const feeds = new WeakMap<Node, Map<string, StreamId>>()

export function agentOf(node: Node, name: string): Agent {
  const agent = node.agents.get(name)
  if (agent) return agent
  const known = [...node.agents.keys()].join(", ")
  throw new Refusal("agent.unknown", `There is no agent "${name}". There are: ${known}.`)
}

/**
 * The conversation at an address, to look at. `main` is always there, though it has nothing in it and is in no list
 * until someone writes to it (ADR-3); another branch has to be made first.
 */
export async function conversationAt(node: Node, address: Address): Promise<Stream> {
  agentOf(node, address.agent)
  const found = await node.store.find({ kind: "conversation", ...address })
  if (found && (found.head > 0 || address.branch === MAIN_BRANCH)) return found
  if (address.branch === MAIN_BRANCH) return node.store.ensure({ kind: "conversation", ...address })
  throw new Refusal("conversation.unknown", `There is no conversation ${feedKey(address)}.`)
}

/** The conversation at an address, to write to. */
export async function conversationFor(node: Node, address: Address, txid: TxId): Promise<Stream> {
  const stream = await conversationAt(node, address)
  return stream.head > 0 ? stream : makeConversation(node, address, txid)
}

/** Makes the conversation with its first rows, or finds the one that is there. */
export async function makeConversation(node: Node, address: Address, txid: TxId): Promise<Stream> {
  const agent = agentOf(node, address.agent)
  const stream = await node.store.ensure({ kind: "conversation", ...address })
  if (stream.head > 0) return stream
  const now = node.clock.now()
  const state = newState(stream, address, now)
  const commands = [...lentCommands(node.toolsets, agent).values()].map(
    (row) => ({ collection: "commands", key: row.name, operation: "insert", row }) as const,
  )
  const changes = [statusChange(state.status, "insert"), ...commands]
  const append = {
    stream: stream.id,
    changes: changes.map(rowChange),
    txid,
    at: now,
    expect: 0,
    active: false,
    feed: {
      stream: await feedStream(node, address.person),
      changes: [rowChange(feedChange(address, state.status, { queued: 0, asks: 0 }))],
    },
  }
  const appended = await node.writer.append(append, {
    onDurable: (appended) => node.known.keep({ state, changes, append, appended }, undefined),
  })
  if (appended.ok) return { ...stream, head: appended.head, control: appended.control, epoch: appended.epoch }
  const made = await node.store.find(stream.key)
  if (made) return made
  throw new Refusal("conversation.unknown", "The conversation was deleted while it was being made.")
}

export async function feedStream(node: Node, person: string): Promise<StreamId> {
  let known = feeds.get(node)
  if (known === undefined || known.size > FEED_CACHE) {
    known = new Map()
    feeds.set(node, known)
  }
  const id = known.get(person)
  if (id !== undefined) return id
  const stream = await node.store.ensure({ kind: "feed", person })
  known.set(person, stream.id)
  return stream.id
}
