import type { AgentView } from "@parlor/protocol"
import type { Toolsets } from "../ports/toolsets.ts"
import type { Agent } from "./agent.ts"
import { lentCommands } from "./outside.ts"

/** An agent as people see it in a list. */
export function agentView(agent: Agent, toolsets?: Toolsets): AgentView {
  return {
    name: agent.name,
    description: agent.description,
    model: agent.model.name,
    commands: [...lentCommands(toolsets, agent).values()],
  }
}
