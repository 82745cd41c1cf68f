import { Refusal } from "@parlor/protocol"
import type { Agent } from "./agent.ts"
import type { Toolsets } from "./toolsets.ts"

/** The agents of this server and their toolsets. */
export type Agents = {
  readonly agents: ReadonlyMap<string, Agent>
  /** Tools and prompts from MCP servers, if configured (TRG-6). */
  readonly toolsets?: Toolsets
}

export function agentOf({ agents }: Pick<Agents, "agents">, name: string): Agent {
  const agent = agents.get(name)
  if (agent) return agent
  const names = [...agents.keys()].join(", ")
  throw new Refusal("agent.unknown", `There is no agent "${name}". Available agents: ${names}.`)
}
