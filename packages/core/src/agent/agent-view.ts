import type { AgentView } from "@parlor/protocol"
import type { Agent } from "./agent.ts"
import { baseCommands } from "./command.ts"

/** An agent as people see it in a list. */
export function agentView(agent: Agent): AgentView {
  return {
    name: agent.name,
    description: agent.description,
    model: agent.model.name,
    commands: [...baseCommands(agent).values()],
  }
}
