import type { Address } from "@parlor/protocol"
import type { Call, Services } from "../services.ts"

export const handlers = {
  listAgents,
  listConversations,
  openConversation,
  makeConversation,
  markConversation,
  deleteConversation,
}

export function addressOf(call: { caller: { person: string }; params: { agent: string; branch: string } }): Address {
  return { agent: call.params.agent, branch: call.params.branch, person: call.caller.person }
}

async function listAgents({ runtime }: Services, { caller }: Call<"listAgents">) {
  return { agents: await runtime.agentsFor(caller.person) }
}

async function listConversations({ runtime }: Services, call: Call<"listConversations">) {
  const { agent, archived, ephemeral, cursor, limit } = call.query
  return runtime.list(call.caller.person, { agent, archived, ephemeral, cursor, limit })
}

async function openConversation({ runtime }: Services, call: Call<"openConversation">) {
  return runtime.snapshot(addressOf(call), { messages: call.query.messages })
}

async function makeConversation({ runtime }: Services, call: Call<"makeConversation">) {
  await runtime.make(addressOf(call), call.txid)
  return { agent: call.params.agent, branch: call.params.branch }
}

async function markConversation({ runtime }: Services, call: Call<"markConversation">) {
  return { conversation: await runtime.mark(addressOf(call), call.body, call.txid) }
}

async function deleteConversation({ runtime, followers }: Services, call: Call<"deleteConversation">) {
  const branches = namesIn(call.query.branches)
  if (call.query.undoable) return runtime.removeLater(addressOf(call), { branches, txid: call.txid })
  for (const stream of await runtime.remove(addressOf(call), { branches, txid: call.txid })) followers.cutStream(stream)
}

/** Each name may be percent-encoded within the list, because names may contain commas. */
function namesIn(list: string | undefined): readonly string[] {
  return (list ?? "").split(",").flatMap((name) => (name === "" ? [] : [name, decodedOnce(name)]))
}

function decodedOnce(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
