/** What stands over each message of a prompt. Pure. */
import type { InspectedMessage } from "@parlor/protocol"

const TITLES: Readonly<Record<InspectedMessage["role"], string>> = {
  person: "Person",
  agent: "Agent",
  tools: "What tools gave",
}

export type Titled = { readonly message: InspectedMessage; readonly title: string }

/** Numbered: one talks about a message of a prompt by its place. */
export function rolesOf(messages: readonly InspectedMessage[]): readonly Titled[] {
  return messages.map((message, index) => ({ message, title: `${index + 1} · ${TITLES[message.role]}` }))
}
