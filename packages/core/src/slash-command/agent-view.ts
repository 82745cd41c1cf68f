import type { AgentView } from "@parlor/protocol"
import type { Agent } from "../agent/agent.ts"
import type { Toolsets } from "../agent/toolsets.ts"
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
