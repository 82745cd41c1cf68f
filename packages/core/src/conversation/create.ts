/** The first rows of a conversation. */
import { type Address, type NewChange, Refusal, type StatusRow, type TxId } from "@parlor/protocol"
import { type Agents, agentOf } from "../agent/agent-of.ts"
import { conversationAt, feedStream, forgetFeed } from "../log/address.ts"
import type { LogAccess } from "../log/log-access.ts"
import { newState, newStatus, statusChange } from "../log/state.ts"
import { writeDecision } from "../log/write.ts"
import type { Append, Appended, Stream } from "../ports/store.ts"
import { modelForNew } from "../preference/model-for-new.ts"
import { readPreferences } from "../preference/preferences.ts"
import { checkNewConversation } from "../quota/quota.ts"
import { firstCommands } from "../slash-command/lent-commands.ts"

export type NewConversation = {
  readonly address: Address
  readonly status: StatusRow
  /** Its first rows besides status and commands. */
  readonly changes?: readonly NewChange[]
  readonly txid: TxId
  readonly once?: NonNullable<Append["once"]>
  /** Its stream, if it was just read. */
  readonly stream?: Stream
}

/** The conversation at an address, for writing. */
export async function conversationFor(node: LogAccess & Agents, address: Address, txid: TxId): Promise<Stream> {
  const stream = await conversationAt(node, address)
  return stream.head > 0 ? stream : makeConversation(node, address, txid)
}

/** Creates the conversation, or finds the existing one. */
export async function makeConversation(node: LogAccess & Agents, address: Address, txid: TxId): Promise<Stream> {
  const agent = agentOf(node, address.agent)
  const found = await node.store.log.ensure({ kind: "conversation", ...address })
  if (found.head > 0) return found
  const { preferences } = await readPreferences(node, address.person)
  const model = modelForNew(agent, preferences)
  const status = { ...newStatus(node.clock.now()), settings: model === undefined ? null : { model } }
  const { stream, appended } = await createConversation(node, { address, status, txid, stream: found })
  if (appended.ok) return { ...stream, head: appended.head, control: appended.control, epoch: appended.epoch }
  const other = await node.store.log.find(stream.key)
  if (other) return other
  throw new Refusal("conversation.unknown", "The conversation was deleted while it was being created.")
}

/** `moved`: there is already a conversation at that address. */
export async function createConversation(
  node: LogAccess & Agents,
  made: NewConversation,
): Promise<{ readonly stream: Stream; readonly appended: Appended }> {
  const { address, status, txid, once } = made
  const commands = [...firstCommands(node, address.agent).values()].map(
    (row): NewChange => ({ collection: "slashCommands", key: row.name, operation: "insert", row }),
  )
  const stream = made.stream ?? (await node.store.log.ensure({ kind: "conversation", ...address }))
  if (stream.head === 0) await checkNewConversation(node, address.person)
  const feed = await feedStream(node, address.person)
  const nothing = newState({ ...stream, head: 0, control: 0 }, address, status)
  const changes = [statusChange(status, "insert"), ...commands, ...(made.changes ?? [])]
  const appended = await writeDecision(node, nothing, feed, { changes }, { txid, once })
  // The person may have been deleted in the meantime, together with their feed.
  if (!appended.ok && appended.why === "gone") forgetFeed(node, address.person)
  return { stream, appended }
}
