/** An agent's commands together with those from MCP servers (TRG-6). */

import type { Agent } from "../agent/agent.ts"
import { type Agents, agentOf } from "../agent/agent-of.ts"
import type { Toolsets } from "../agent/toolsets.ts"
import { baseCommands, type Commands } from "./command.ts"

/** The commands of a conversation from its first moment, even before it exists (CMP-20). */
export function firstCommands(node: Agents, agent: string): Commands {
  return lentCommands(node.toolsets, agentOf(node, agent))
}

/** Commands that the agent or its skills declare take precedence over those from outside. */
export function lentCommands(toolsets: Toolsets | undefined, agent: Agent): Commands {
  const base = baseCommands(agent)
  const lent = toolsets?.commandsFor(agent.name) ?? []
  return lent.length === 0 ? base : new Map([...lent.map((row) => [row.name, row] as const), ...base])
}
