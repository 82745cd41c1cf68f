/** The model settings of a conversation, and the models to choose from (MOD-3 to MOD-5). */
import type { Address, ModelSettings, ModelView, ModeView, TxId } from "@parlor/protocol"
import type { Agent } from "../agent/agent.ts"
import { type Agents, agentOf } from "../agent/agent-of.ts"
import { checkModelSettings, offersOf } from "../agent/choose-model.ts"
import { decide, expectFirst } from "../log/decide.ts"
import type { LogAccess } from "../log/log-access.ts"
import { statusChange } from "../log/state.ts"
import { conversationFor } from "./create.ts"

/** They apply from the next turn on. Without any, the conversation returns to the agent's own. */
export async function setModelSettings(
  node: LogAccess & Agents,
  address: Address,
  settings: ModelSettings,
  txid: TxId,
): Promise<ModelSettings | null> {
  checkModelSettings(agentOf(node, address.agent), settings)
  const stream = await conversationFor(node, address, txid)
  const after = Object.keys(settings).length === 0 ? null : settings
  const decided = await decide<ModelSettings | null>(
    node,
    stream.id,
    (state) => ({ answer: after, changes: [statusChange({ ...state.status, settings: after })] }),
    { txid },
  )
  return expectFirst(decided).answer
}

export function listModels(node: Agents, name: string): { readonly models: ModelView[]; readonly modes: ModeView[] } {
  const agent = agentOf(node, name)
  const { model, mode, modes } = agent.harness?.offers() ?? { model: agent.model.name, mode: undefined, modes: [] }
  return {
    models: modelViews(agent, model),
    modes: modes.map(({ id, ...words }) => ({
      name: id,
      title: words.name,
      description: words.description,
      isDefault: id === mode,
    })),
  }
}

function modelViews(agent: Agent, byDefault: string | undefined): ModelView[] {
  return offersOf(agent).map((offer) => ({
    name: offer.name,
    window: offer.window,
    maxOutput: offer.maxOutput ?? null,
    price: offer.price ?? null,
    ready: offer.missing === undefined,
    missing: offer.missing ?? null,
    isDefault: offer.name === byDefault,
  }))
}
