import { Refusal } from "@parlor/protocol"
import type { Agent } from "./agent.ts"

export function agentOf({ agents }: { readonly agents: ReadonlyMap<string, Agent> }, name: string): Agent {
  const agent = agents.get(name)
  if (agent) return agent
  const known = [...agents.keys()].join(", ")
  throw new Refusal("agent.unknown", `There is no agent "${name}". There are: ${known}.`)
}
