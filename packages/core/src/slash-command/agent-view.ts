import type { AgentView } from "@parlor/protocol"
import type { Agent } from "../agent/agent.ts"
import type { Agents } from "../agent/agent-of.ts"
import type { Toolsets } from "../agent/toolsets.ts"
import { modelForNew } from "../preference/model-for-new.ts"
import { type PreferenceHome, readPreferences } from "../preference/preferences.ts"
import { lentCommands } from "./lent-commands.ts"

/** An agent as shown in a list. */
export function agentView(agent: Agent, toolsets?: Toolsets): AgentView {
  return {
    name: agent.name,
    description: agent.description,
    model: agent.harness?.offers().model ?? agent.model.name,
    slashCommands: [...lentCommands(toolsets, agent).values()],
  }
}

/** The agents as this person sees them. */
export async function agentViewsFor(node: Agents & PreferenceHome, person: string): Promise<AgentView[]> {
  const { preferences } = await readPreferences(node, person)
  return [...node.agents.values()].map((agent) => {
    const model = modelForNew(agent, preferences)
    return { ...agentView(agent, node.toolsets), ...(model === undefined ? {} : { modelForNew: model }) }
  })
}
