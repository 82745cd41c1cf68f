/** What a message can refer to: the commands of its conversation, and the agents (CMP-5). */
import { type Conversation, type Parlor, ParlorError } from "@parlor/client"
import type { ParseOptions } from "@parlor/protocol"

/** Most messages have no references, and then the server is not asked. */
const MAY_REFER = /(?:^|\s)[^\p{L}\p{N}\s/@#]*[/@#]/u

export async function referencesFor(
  parlor: Pick<Parlor, "agents">,
  conversation: Conversation,
  text: string,
): Promise<Required<ParseOptions>> {
  if (!MAY_REFER.test(text)) return { commands: [], agents: [] }
  const agents = await parlor.agents()
  const declared = agents.find(({ name }) => name === conversation.agent)?.slashCommands ?? []
  const commands = [...declared, ...(await commandsOf(conversation))].map(({ name }) => name)
  return { commands, agents: agents.map(({ name }) => name) }
}

/** A conversation that does not exist yet has no commands. */
async function commandsOf(conversation: Conversation): Promise<readonly { readonly name: string }[]> {
  try {
    return (await conversation.open({ messages: 1 })).slashCommands
  } catch (error) {
    if (error instanceof ParlorError && error.code === "conversation.unknown") return []
    throw error
  }
}
