import { Refusal } from "@parlor/protocol"
import type { Agent } from "./agent.ts"
import type { Toolsets } from "./toolsets.ts"

/** The agents of this server, and what they are lent. */
export type Agents = {
  readonly agents: ReadonlyMap<string, Agent>
  /** Tools and prompts from outside, where there are any (TRG-6). */
  readonly toolsets?: Toolsets
}

export function agentOf({ agents }: Pick<Agents, "agents">, name: string): Agent {
  const agent = agents.get(name)
  if (agent) return agent
  const known = [...agents.keys()].join(", ")
  throw new Refusal("agent.unknown", `There is no agent "${name}". There are: ${known}.`)
}
