/**
 * Replies that no conversation keeps: titles and tags that chat clients generate, temporary chats, `store: false`.
 *
 * Each runs in its own sidecar, which is deleted when the reply ends or its client disconnects. Sidecars left by a crash
 * are deleted by a later request.
 */
import type { Said, SaidAll } from "@parlor/adapters"
import { type Address, MAIN_BRANCH, Refusal } from "@parlor/protocol"
import type { Services } from "../services.ts"
import { carryOut, historyLines, type Place } from "./carry-out.ts"
import { randomName } from "./decide.ts"
import type { Destination, SendCall } from "./send-call.ts"

const PREFIX = "throwaway-"
/** No reply takes this long: older sidecars were left by a crash. */
const LEFT_MS = 60 * 60_000
const SWEPT = 50

export type Throwaway = { readonly place: Place; readonly remove: () => Promise<void> }

export async function openThrowaway(
  services: Services,
  call: SendCall,
  { to, said }: { readonly to: Destination; readonly said: SaidAll },
): Promise<Throwaway> {
  const { runtime, clock } = services
  const { person } = call.caller
  await sweep(services, call, to.agent)
  const address = { agent: to.agent, person, branch: `${PREFIX}${randomName()}` }
  const parent = await parentOf(services, { ...address, branch: to.branch ?? MAIN_BRANCH })
  await runtime.makeBranch(parent, { from: undefined, name: address.branch, ephemeral: true, txid: call.txid })
  const remove = () => removeBranch(services, call, address)
  try {
    await seed(services, call, address, said.history)
    const created = Math.floor(clock.now() / 1_000)
    const act = { kind: "send", importsHistory: false } as const
    const plan = { agent: address.agent, branch: address.branch, created, key: address.branch, act }
    return { place: await carryOut(services, call, { plan, isRepeat: false, said }), remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** The chat it is about, if it exists. */
async function parentOf({ runtime }: Services, address: Address): Promise<Address> {
  try {
    await runtime.conversation(address)
    return address
  } catch (error) {
    if (error instanceof Refusal && error.code === "conversation.unknown") return { ...address, branch: MAIN_BRANCH }
    throw error
  }
}

async function seed({ runtime }: Services, call: SendCall, address: Address, history: readonly Said[]): Promise<void> {
  const lines = historyLines(history)
  if (lines.length > 0) await runtime.importLines(address, lines, { txid: call.txid })
}

async function removeBranch({ runtime, followers, log }: Services, call: SendCall, address: Address): Promise<void> {
  try {
    for (const stream of await runtime.remove(address, { branches: [], txid: call.txid })) followers.cutStream(stream)
  } catch (error) {
    // A later request deletes it.
    if (!(error instanceof Refusal)) log.warn("sidecar not deleted", { reason: String(error) })
  }
}

async function sweep(services: Services, call: SendCall, agent: string): Promise<void> {
  const { runtime, clock } = services
  const { person } = call.caller
  const options = { agent, archived: false, ephemeral: true, cursor: undefined, limit: SWEPT }
  const { conversations } = await runtime.list(person, options)
  for (const { branch, activityAt } of conversations)
    if (branch.startsWith(PREFIX) && activityAt < clock.now() - LEFT_MS)
      await removeBranch(services, call, { agent, person, branch })
}
