/**
 * Creates a conversation and wakes the agent that asked to be told, once (CMP-9).
 *
 * `main` exists without being created: the first message to it wakes the agent. A sidecar is created for a question
 * that the person is about to ask.
 */
import { type Address, SPAWN, type TxId } from "@parlor/protocol"
import type { Spawned } from "../agent/spawn.ts"
import { type MakeBranch, makeBranch, type Place } from "../branch/branch.ts"
import { makeConversation } from "../conversation/create.ts"
import type { Stream } from "../ports/store.ts"
import type { CommandAccess } from "./command-access.ts"
import { send } from "./send.ts"

export async function spawnConversation(node: CommandAccess, address: Address, txid: TxId): Promise<Stream> {
  const found = await node.store.log.find({ kind: "conversation", ...address })
  const made = await makeConversation(node, address, txid)
  if (found === undefined || found.head === 0) await announce(node, address, null, txid)
  return made
}

export async function spawnBranch(node: CommandAccess, address: Address, asked: MakeBranch): Promise<Place> {
  const place = await makeBranch(node, address, asked)
  if (!asked.ephemeral) await announce(node, { ...address, ...place }, asked.from ?? null, asked.txid)
  return place
}

/** The conversation exists even if this fails; two concurrent creations wake the agent once. */
async function announce(node: CommandAccess, address: Address, from: string | null, txid: TxId): Promise<void> {
  if (node.agents.get(address.agent)?.wakeOnSpawn !== true) return
  const payload: Spawned = { branch: address.branch, from }
  const none = { scheduleId: null, deliveryId: null, headers: null, subject: null }
  const trigger = { source: "spawn", firedAt: node.clock.now(), ...none } as const
  const key = { key: SPAWN, hash: SPAWN }
  try {
    await send(node, address, { type: SPAWN, payload, mode: "immediate", source: SPAWN, trigger, txid, key })
  } catch (error) {
    node.log.warn("could not wake an agent for its new conversation", { agent: address.agent, reason: String(error) })
  }
}
