/** Which agents answer a message: those it names, or those it mentions (GST-6). Pure. */
import { type ComposerInput, limits, Refusal } from "@parlor/protocol"
import type { Agents } from "../agent/agent-of.ts"

export type Company = {
  /** The conversation's own agent: mentioning it adds no guest. */
  readonly host: string
  readonly isAgent: (name: string) => boolean
  /** A hosted agent answers only in its own conversations (HST-18). */
  readonly isHosted: (name: string) => boolean
}

export function companyOf({ agents }: Pick<Agents, "agents">, host: string): Company {
  return {
    host,
    isAgent: (name) => agents.has(name),
    isHosted: (name) => agents.get(name)?.harness !== undefined,
  }
}

/** The mentioned agents in order, each once. Names that belong to no agent are plain text. */
export function mentionedGuests(
  { nodes = [] }: ComposerInput,
  { host, isAgent, isHosted }: Company,
): readonly string[] {
  const guests: string[] = []
  for (const [index, node] of nodes.entries()) {
    if (node.kind !== "mention") continue
    const { name } = node
    if (name === host || !isAgent(name) || isHosted(name) || guests.includes(name)) continue
    if (guests.length === limits.guests)
      throw new Refusal(
        "request.invalid",
        `A message can ask at most ${limits.guests} guests.`,
        `/payload/nodes/${index}`,
      )
    guests.push(name)
  }
  return guests
}

export function checkGuests(guests: readonly string[], { isAgent, isHosted }: Company): void {
  const index = guests.findIndex((name) => !isAgent(name))
  if (index >= 0) throw new Refusal("agent.unknown", `There is no agent "${guests[index]}" to ask.`, `/guests/${index}`)
  const hosted = guests.findIndex(isHosted)
  if (hosted >= 0)
    throw new Refusal("agent.hosted", `${guests[hosted]} is a hosted agent and cannot be a guest.`, `/guests/${hosted}`)
}
