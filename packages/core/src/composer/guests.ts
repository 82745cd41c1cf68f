/** Which agents answer a message: those it names, or those it mentions (GST-6). Pure. */
import { type ComposerInput, limits, Refusal } from "@parlor/protocol"

export type Company = {
  /** The conversation's own agent: mentioning it adds no guest. */
  readonly host: string
  readonly isAgent: (name: string) => boolean
}

/** The mentioned agents in order, each once. Names that belong to no agent are plain text. */
export function mentionedGuests({ nodes = [] }: ComposerInput, { host, isAgent }: Company): readonly string[] {
  const guests: string[] = []
  for (const [index, node] of nodes.entries()) {
    if (node.kind !== "mention") continue
    const { name } = node
    if (name === host || !isAgent(name) || guests.includes(name)) continue
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

export function checkGuests(guests: readonly string[], { isAgent }: Company): void {
  const index = guests.findIndex((name) => !isAgent(name))
  if (index >= 0) throw new Refusal("agent.unknown", `There is no agent "${guests[index]}" to ask.`, `/guests/${index}`)
}
